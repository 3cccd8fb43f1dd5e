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
  bool overflow = false;  // failed because numbers are not finite
  std::string reason;     // why ok or may_stop is false
  bool may_stop = true;   // whether this direction may end the step
  bool exact = false;     // computed with Newton's exact Hessian: the remaining error is of second order
  long linear_iterations = 0;
  int factorizations = 0, projected_factorizations = 0;
  double linear_solve_seconds = 0, symbolic_seconds = 0;  // the second is part of the first [s]
  double remaining = 1;               // remaining distance over the length of d, if convergence is linear
  bool last = false;                  // the iterations end after a step along d
  std::optional<StateError> error;    // estimated error of x
  std::optional<StepNorms> measured;  // norms for the stop test; none: the norms of d
  LevelReport levels;
  std::optional<AdaptiveReport> adaptive;
};

// The decision of a direction whether the iterations may end at a state.
struct Acceptance {
  bool accepted = true;    // accepted, and g and d contain a last step to take
  bool corrected = false;  // accepted, and g and d hold a last step to take
  DirectionResult work;    // work spent on the decision
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

  // Computes the simplified Newton correction d (3 x n_all): it solves with the matrix of the last direction() and the
  // gradient g (3 x dynamic_count) at another x. Prescribed coordinates stay. The result is not ok if the method has no
  // such solve.
  virtual DirectionResult correction(const Points& /*x*/, const Points& /*g*/, Points& /*d*/) {
    DirectionResult none;
    none.ok = false;
    return none;
  }

  // Call after a line search has moved to x (3 x n_all) by alpha (1: full step, 0: none), with the contacts of the
  // direction. model_error: |dE - dE_model| / |dE_model| over the full step, clamped to [0, 1]; 1 for other steps.
  virtual void accepted(const Points& x, double alpha, double model_error) = 0;
  // Whether d solves with the Hessian of contacts. Normal forces can then be predicted before convergence.
  virtual bool sees_contacts() const { return true; }
  // Call when friction or a static hold has changed E since the last direction: older gradients are invalid.
  virtual void lagged_anew() {}
  // The modes and vertices dropped at the end of the last step, and the active subspace; only for adaptive subspaces.
  virtual std::optional<AdaptiveReport> end_report() const { return {}; }
  virtual std::optional<ActiveSubspace> active_subspace() const { return {}; }

  // Name of the method that took over the step; empty if none did.
  virtual std::string_view fallback() const { return {}; }

  // Call if no step along the last direction decreases E. Returns whether to try another direction.
  virtual bool retry() { return false; }

  // Call before the last direction ends the iterations. Returns false if that direction was too inexact; the next
  // direction is then more accurate.
  virtual bool confirm() { return true; }

  // Call before the iterations end at x (3 x n_all). Directions whose stop measure does not cover all motions may
  // refuse, or set g (3 x dynamic_count) and d (3 x n_all) to a last step; prescribed coordinates stay.
  virtual Acceptance accept(const Points& /*x*/, Points& /*g*/, Points& /*d*/) { return {}; }
  // Estimated error of x; none if the direction has no estimate.
  virtual std::optional<StateError> error(const Points& /*x*/) { return {}; }

  // Returns whether the unprojected Hessian of E is positive definite at x (3 x n_all), the end of a minimisation. If
  // it is not, sets z (3 x dynamic_count) to a direction of negative curvature. Returns unknown if the method has no
  // such test.
  virtual Definiteness curvature(const Points& /*x*/, Points& /*z*/) { return Definiteness::unknown; }

  // dynamic_count flags of the vertices whose forces a step balances one by one; empty: all vertices.
  virtual std::span<const char> balanced() const { return {}; }
};

class FullSpaceDirection : public DescentDirection {
 public:
  virtual void begin_step(const StepContext& context, IncrementalPotential& potential) = 0;
  virtual void end_step() = 0;

  // Whether few vertices may take steps by themselves between directions (solver/elimination.h).
  virtual bool takes_local_steps() const { return false; }

  // Whether the iterations start from the predictor x~, as far as filters allow, if E is lower at x~ than at x_t.
  virtual bool starts_at_predictor() const { return false; }

  // Adds what copies of a simulation share.
  virtual void share(Preparation&) const {}
  virtual void save(ArchiveWriter&) const {}
  virtual void load(const ArchiveReader&) {}
};

}  // namespace sinew
