// Measured curves of incompressible solids: nominal stress over stretch, in experiments whose free faces carry no
// stress.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/material/model.h"

namespace sinew {

// Principal stretches at the measured stretch l:
//
//   uniaxial   (l, l^-1/2, l^-1/2)
//   biaxial    (l, l, l^-2), pulled evenly in two directions
//   shear      (l, 1, 1/l), a wide strip that keeps its width (pure shear)
enum class Experiment { uniaxial, biaxial, shear };

const char* experiment_name(Experiment experiment);

struct Measurement {
  Experiment experiment = Experiment::uniaxial;
  std::string source;           // name of the file, for messages
  std::vector<double> stretch;  // l > 0
  std::vector<double> stress;   // nominal: force over the area at rest [Pa]
};

// Returns the stretch of the free face at the measured stretch.
double free_stretch(Experiment experiment, double stretch);

// Returns the nominal stress [Pa] of a model with kernel parameters, kept incompressible. The pressure p follows from
// the free face, w_2 - p / s_2 = 0:
//   P = w_0 - w_2 s_2 / s_0.
std::vector<double> nominal_stress(const MaterialModel& model, std::span<const double> kernel, Experiment experiment,
                                   std::span<const double> stretch);

// Reads two columns, stretch and nominal stress [Pa], separated by commas, semicolons or blanks. A first line without
// numbers counts as a header. Lines that begin with # are skipped. Throws InputError naming file and line.
Measurement read_measurement(const std::string& path, Experiment experiment);

}  // namespace sinew
