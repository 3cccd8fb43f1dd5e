// How a method finds its direction. Methods differ only in this, and in what their coordinates are.
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
  bool overflow = false;  // not ok because numbers are not finite
  std::string reason;     // why not ok, or why may_stop is false
  bool may_stop = true;   // whether the stop measure of this direction counts
  bool exact = false;     // Newton's own, by the exact Hessian: what it leaves is of second order
  long linear_iterations = 0;
  int factorizations = 0, projected_factorizations = 0;
  double linear_solve_seconds = 0, symbolic_seconds = 0;  // the second is part of the first
  double remaining = 1;               // what remains to go over the length of d, for directions that converge linearly
  bool last = false;                  // a step along d ends the iterations, whatever its length
  std::optional<StateError> error;    // of x, where it was estimated
  std::optional<StepNorms> measured;  // what the stop test looks at; none: d
  LevelReport levels;
  std::optional<AdaptiveReport> adaptive;
};

// What a direction says of a state at which the iterations would end.
struct Acceptance {
  bool accepted = true;    // false: the next direction() leads on
  bool corrected = false;  // accepted, and g and d hold a last step that is worth taking
  DirectionResult work;    // of finding out
  std::optional<StateError> error;
};

class DescentDirection {
 public:
  virtual ~DescentDirection() = default;

  // The system has changed since the last step.
  virtual void adapt(Change) {}

  // At x (3 x n_all): g (3 x dynamic_count) = grad E, and d (3 x n_all). On entry d holds the wanted displacement of
  // all prescribed coordinates and kinematic vertices (zero when they are where they should be), which is left as it
  // is; the free coordinates are filled in. `drift` (3 x dynamic_count) is the change of g that the kinematic vertices'
  // motion d causes to first order, or empty.
  virtual DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) = 0;

  // The simplified Newton correction: d (3 x n_all) solves with the matrix of the last direction() for the gradient g
  // (3 x dynamic_count) at another place x; what is prescribed stays. Not ok where the method has no such solve.
  virtual DirectionResult correction(const Points& /*x*/, const Points& /*g*/, Points& /*d*/) {
    DirectionResult none;
    none.ok = false;
    return none;
  }

  // After the line search took alpha (1: the full step; 0: none) to x (3 x n_all), with the contacts that the direction
  // was found with. model_error: of the change of E over a full step with that of its
  // quadratic model, over the latter, 0 to 1; 1 where the step was another.
  virtual void accepted(const Points& x, double alpha, double model_error) = 0;
  // Whether d solves with the Hessian of contacts, so that it tells their normal forces ahead of convergence.
  virtual bool sees_contacts() const { return true; }
  // E has changed since the last direction, by friction lagged anew or another hold: gradients found before belong to
  // another E.
  virtual void lagged_anew() {}
  // What changed at the end of the last step, of directions with an adaptive subspace; and what is active now.
  virtual std::optional<AdaptiveReport> end_report() const { return {}; }
  virtual std::optional<ActiveSubspace> active_subspace() const { return {}; }

  // The method that the step has gone over to, of directions that hand a step over where they make no progress.
  virtual std::string_view fallback() const { return {}; }

  // Where no step along the last direction decreases E: whether another direction is worth a try.
  virtual bool retry() { return false; }

  // Where the iterations would end with the last direction: false when it was found too roughly to say so; the next one
  // is then found better.
  virtual bool confirm() { return true; }

  // Where the iterations would end at x (3 x n_all), with the contacts of the potential: whether x is good enough for a
  // direction whose own stop measure does not see all motions. g (3 x dynamic_count) and d (3 x n_all) may get a last
  // step; what is prescribed stays.
  virtual Acceptance accept(const Points& /*x*/, Points& /*g*/, Points& /*d*/) { return {}; }
  // The estimated error of x, of directions that have an estimate.
  virtual std::optional<StateError> error(const Points& /*x*/) { return {}; }

  // After a minimisation that ended at x: whether the Hessian of E, as it is, is positive definite there; z (3 x
  // dynamic_count) gets a direction of negative curvature where it is not. Unknown where the method has no such test.
  virtual Definiteness curvature(const Points& /*x*/, Points& /*z*/) { return Definiteness::unknown; }

  // Flags of the vertices (dynamic_count) whose forces a step balances one by one; empty: of all.
  virtual std::span<const char> balanced() const { return {}; }
};

class FullSpaceDirection : public DescentDirection {
 public:
  virtual void begin_step(const StepContext& context, IncrementalPotential& potential) = 0;
  virtual void end_step() = 0;

  // Whether the iterations begin at the predictor x~, as far as filters let it, where E is lower there than at x_t.
  virtual bool starts_at_predictor() const { return false; }

  virtual void save(ArchiveWriter&) const {}
  virtual void load(const ArchiveReader&) {}
};

}  // namespace sinew
