// The steady motion of a state under harmonic loads, by superposition of modes or directly (theory, section 11).
#pragma once

#include <vector>

#include "sinew/modes/mode_set.h"
#include "sinew/perturbation/linear_sensors.h"
#include "sinew/perturbation/load_change.h"

namespace sinew {

struct HarmonicOptions {
  std::vector<double> frequencies;  // [Hz], positive
  Index modes = 20;                 // that are superposed; 0: each frequency is solved directly
  double damping_ratio = 0;         // of each mode, besides the damping of bodies; only with modes
  double loss_factor = 0;           // eta of the stiffness K (1 + i eta)
};

// Loads, and prescribed motions, are Re(c exp(i omega t)) with c their change from the state to time 1 (load_change.h).
struct HarmonicResponse {
  std::vector<LinearSensors::Column> columns;
  Eigen::MatrixXcd values;  // frequencies x columns: complex amplitudes
  VecX natural;             // frequencies of the superposed modes [Hz]; empty: none
};

// Throws InputError for options that do not fit, and for unstable states. Reports progress (core/activity.h).
// Deterministic for any number of threads.
HarmonicResponse frequency_response(Tangent& tangent, const HarmonicOptions& options);

}  // namespace sinew
