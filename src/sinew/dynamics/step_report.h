// The report of one time step: the numbers of a row of steps.jsonl.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sinew/dynamics/path_report.h"
#include "sinew/solver/adaptive_report.h"
#include "sinew/solver/diagnosis.h"
#include "sinew/solver/level_report.h"
#include "sinew/solver/outcome.h"
#include "sinew/solver/state_error.h"

namespace sinew {

// Wall times [s]: `steps` is the whole step, the others are parts of it.
struct TimeSplit {
  double total = 0, setup = 0, steps = 0;
  double assembly = 0, linear_solve = 0, collision = 0, line_search = 0, output = 0;
  double elimination = 0;  // iterations on few vertices
  double symbolic = 0;     // ordering and symbolic analysis, a part of linear_solve

  TimeSplit& operator+=(const TimeSplit& other);
};

// Energies of a state [J].
struct Energies {
  double kinetic = 0, elastic = 0, gravity = 0, barrier = 0, friction = 0;
  double springs = 0;  // energy of the scene's springs
};

// The full-space gradient at the end of a step of a reduced method, given as the accelerations that the unbalanced
// forces cause: root mean square over the mass [m/s^2].
struct FullGradient {
  double whole = 0;
  double projected = 0;     // the part that the subspace can represent
  double min_jacobian = 1;  // over all tets, not only cubature points
};

struct StepReport {
  int step = 0;                        // 1 for the first
  double time = 0;                     // end of the step [s]
  bool converged = true;               // the stop test passed
  bool budget = false;                 // ended after solver.iterations, before the stop test passed
  bool rounding_floor = false;         // converged because of the rounding of E
  std::string reason;                  // why it did not converge
  std::vector<std::string> warnings;   // warnings about the step (dynamics/step_watch.h)
  std::optional<Diagnosis> diagnosis;  // if failed: location, what was tried, what to do
  std::string fallback;                // name of the method that took over this step; empty: none
  double residual = 0;                 // |d|_inf / h of the last direction [m/s]; h = 1 in statics
  int newton_iterations = 0;
  long linear_iterations = 0;
  int line_search_steps = 0;
  int factorizations = 0, projected_factorizations = 0;
  // Newton iterations on few vertices between those on all, each times the share of vertices that it moves.
  double local_iterations = 0;
  long contacts = 0;                                              // active stencils at the end
  double min_distance = std::numeric_limits<double>::infinity();  // [m], negative inside; infinity: no contact
  // The smallest det F, over all tets with an energy density or over cubature points; 1 without any.
  double min_jacobian = 1;
  double contact_stiffness = 0;    // kappa at the end [Pa]
  int substeps = 1;                // number of parts of the step
  std::optional<PathReport> path;  // only with time.continuation
  std::string instability;         // unstable equilibrium in statics: "followed" | "reported"
  int friction_iterations = 0;
  bool friction_converged = true;
  double friction_residual = 0;  // largest deviation from Coulomb's law (potential/coulomb_error.h)
  Energies energies;
  std::vector<double> sensors;  // numbers of the system's sensors (sensors/sensors.h)
  TimeSplit seconds;
  LevelReport levels;
  std::optional<AdaptiveReport> adaptive;     // only for method adaptive
  std::optional<StateError> error;            // only for methods in a subspace, if estimated
  std::optional<FullGradient> full_gradient;  // only for reduced methods, if a frame is written

  Outcome outcome() const { return outcome_of(converged, budget); }
  bool failed() const { return outcome() == Outcome::failed; }
};

struct MinimizeReport;
struct System;

// Adds the work of a minimisation, and sets its outcome.
void fill_report(const MinimizeReport& result, StepReport& report);

// Whether a converged step is not a solution because friction updates have not settled; false if the scene limits their
// number. unsettled_text() gives the reason.
bool is_unsettled(const StepReport& report, const System& system);
std::string unsettled_text(const StepReport& report, const System& system);

}  // namespace sinew
