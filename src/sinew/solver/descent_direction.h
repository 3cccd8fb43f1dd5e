// The interface by which a method computes its direction. Methods differ only in direction and coordinates.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/core/archive.h"
#include "sinew/linalg/negative_curvature.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/potential/step_norms.h"
#include "sinew/solver/adaptive_report.h"
#include "sinew/solver/level_report.h"
#include "sinew/solver/state_error.h"

namespace sinew {

struct DirectionResult {
  bool ok = true;
  bool overflow = false;  // not ok because of numbers that are not finite
  std::string reason;     // reason if not ok, or if may_stop is false
  bool may_stop = true;   // whether this direction may end the step
  bool exact = false;     // by Newton's exact Hessian: the remainder is of second order
  long linear_iterations = 0;
  int factorizations = 0, projected_factorizations = 0;
  double linear_solve_seconds = 0, symbolic_seconds = 0;  // the second is part of the first
  double remaining = 1;               // remaining distance over the length of d, for linear convergence
  bool last = false;                  // a step along d ends the iterations
  std::optional<StateError> error;    // of x, if estimated
  std::optional<StepNorms> measured;  // norms for the stop test; none: of d
  LevelReport levels;
  std::optional<AdaptiveReport> adaptive;
};

// A direction's judgement of a state at which the iterations would end.
struct Acceptance {
  bool accepted = true;    // false: continue with the next direction()
  bool corrected = false;  // accepted, and g and d hold a last step to take
  DirectionResult work;    // work of the judgement
  std::optional<StateError> error;
};

class DescentDirection {
 public:
  virtual ~DescentDirection() = default;

  // Called when the system has changed since the last step.
  virtual void adapt(Change) {}

  // Computes g (3 x dynamic_count) = grad E and the free coordinates of d (3 x n_all) at x (3 x n_all). On entry d
  // holds the wanted displacement of prescribed coordinates and kinematic vertices, zero at their targets. `drift` (3 x
  // dynamic_count) is the first-order change of g by the motion of kinematic vertices, or empty.
  virtual DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) = 0;

  // Computes the simplified Newton correction d (3 x n_all): the matrix of the last direction() with the gradient g (3
  // x dynamic_count) at another x. Prescribed coordinates stay. Not ok if the method has no such solve.
  virtual DirectionResult correction(const Points& /*x*/, const Points& /*g*/, Points& /*d*/) {
    DirectionResult none;
    none.ok = false;
    return none;
  }

  // Called after a line search has moved to x (3 x n_all) by alpha (1: full step, 0: none), with the contacts of the
  // direction. model_error: |dE - dE_model| / |dE_model| over the full step, clamped to [0, 1]; 1 for other steps.
  virtual void accepted(const Points& x, double alpha, double model_error) = 0;
  // Whether d solves with the Hessian of contacts, and so predicts normal forces before convergence.
  virtual bool sees_contacts() const { return true; }
  // Called when friction or a hold has changed E since the last direction: older gradients are invalid.
  virtual void lagged_anew() {}
  // Changes at the end of the last step, and the active subspace, for directions with an adaptive subspace.
  virtual std::optional<AdaptiveReport> end_report() const { return {}; }
  virtual std::optional<ActiveSubspace> active_subspace() const { return {}; }

  // Name of the method that took over the step, for directions with a fallback; else empty.
  virtual std::string_view fallback() const { return {}; }

  // Called if no step along the last direction decreases E. Returns whether to try another direction.
  virtual bool retry() { return false; }

  // Called before the last direction ends the iterations. Returns false if it was too inexact; the next one is then
  // more accurate.
  virtual bool confirm() { return true; }

  // Called before the iterations end at x (3 x n_all), for directions whose stop measure does not cover all motions.
  // May set g (3 x dynamic_count) and d (3 x n_all) to a last step; prescribed coordinates stay.
  virtual Acceptance accept(const Points& /*x*/, Points& /*g*/, Points& /*d*/) { return {}; }
  // Estimated error of x, if the direction has an estimate.
  virtual std::optional<StateError> error(const Points& /*x*/) { return {}; }

  // Returns whether the unprojected Hessian of E is positive definite at x, the end of a minimisation. If not, z (3 x
  // dynamic_count) gets a direction of negative curvature. Unknown if the method has no such test.
  virtual Definiteness curvature(const Points& /*x*/, Points& /*z*/) { return Definiteness::unknown; }

  // dynamic_count flags of the vertices whose forces a step balances individually; empty: all.
  virtual std::span<const char> balanced() const { return {}; }
};

class FullSpaceDirection : public DescentDirection {
 public:
  virtual void begin_step(const StepContext& context, IncrementalPotential& potential) = 0;
  virtual void end_step() = 0;

  // Whether the iterations start from the predictor x~, as far as filters allow, if E is lower there than at x_t.
  virtual bool starts_at_predictor() const { return false; }

  virtual void save(ArchiveWriter&) const {}
  virtual void load(const ArchiveReader&) {}
};

}  // namespace sinew
