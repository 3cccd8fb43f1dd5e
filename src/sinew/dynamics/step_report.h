// What one time step reports: the numbers of a row of steps.jsonl.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sinew/solver/adaptive_report.h"
#include "sinew/solver/diagnosis.h"
#include "sinew/solver/level_report.h"
#include "sinew/solver/outcome.h"
#include "sinew/solver/state_error.h"

namespace sinew {

// Wall times [s]; steps is the whole step, the others are parts of it.
struct TimeSplit {
  double total = 0, setup = 0, steps = 0;
  double assembly = 0, linear_solve = 0, collision = 0, line_search = 0, output = 0;
  double symbolic = 0;  // the part of linear_solve that orders and analyses patterns

  TimeSplit& operator+=(const TimeSplit& other);
};

// [J]
struct Energies {
  double kinetic = 0, elastic = 0, gravity = 0, barrier = 0, friction = 0;
  double springs = 0;  // of the scene's springs
};

// How far the end of a step of a reduced method is from the minimum of the full-space potential: its gradient, as the
// accelerations that unbalanced forces would cause, root mean square over the mass [m/s^2].
struct FullGradient {
  double whole = 0;
  double projected = 0;     // the part that the subspace could have removed
  double min_jacobian = 1;  // over all tets, of which cubature sees a few
};

struct StepReport {
  int step = 0;                        // 1 for the first
  double time = 0;                     // at the end of the step [s]
  bool converged = true;               // the stop test passed
  bool budget = false;                 // it had not when solver.iterations were up
  bool rounding_floor = false;         // converged because rounding lets no energy tell further steps apart
  std::string reason;                  // why not converged
  std::vector<std::string> warnings;   // of what happened in it (dynamics/step_watch.h)
  std::optional<Diagnosis> diagnosis;  // when failed: where, what was tried, what to do
  std::string fallback;                // the method that "auto" went over to in this step; empty: none
  double residual = 0;                 // |d|_inf / h of the last direction [m/s]; h = 1 in statics
  int newton_iterations = 0;
  long linear_iterations = 0;
  int line_search_steps = 0;
  int factorizations = 0, projected_factorizations = 0;
  long contacts = 0;                                              // active stencils at the end
  double min_distance = std::numeric_limits<double>::infinity();  // [m], negative inside; infinity: no contact
  // Over all tets that have an energy density, of methods with cubature over its points; 1: there are none.
  double min_jacobian = 1;
  double contact_stiffness = 0;  // kappa at the end [Pa]
  int substeps = 1;              // parts that the step was divided into, where it failed in one
  std::string instability;       // in statics, of an equilibrium that was found unstable: "followed" | "reported"
  int friction_iterations = 0;
  bool friction_converged = true;
  double friction_residual = 0;  // how far the friction of a body is from Coulomb's law (potential/coulomb_error.h)
  Energies energies;
  TimeSplit seconds;
  LevelReport levels;
  std::optional<AdaptiveReport> adaptive;     // of the method with adaptive subspaces
  std::optional<StateError> error;            // of methods in a subspace, where it is estimated
  std::optional<FullGradient> full_gradient;  // where a frame is written, of reduced methods

  Outcome outcome() const { return outcome_of(converged, budget); }
  bool failed() const { return outcome() == Outcome::failed; }
};

struct MinimizeReport;
struct System;

// Adds the work of a minimisation, and sets how it ended.
void fill_report(const MinimizeReport& result, StepReport& report);

// Whether a step that is said to have converged has not: friction that its rounds have not settled is no solution of
// it, where the scene does not bound the rounds. And why, in words.
bool is_unsettled(const StepReport& report, const System& system);
std::string unsettled_text(const StepReport& report, const System& system);

}  // namespace sinew
