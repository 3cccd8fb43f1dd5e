// How far a step of a method in a subspace is from the step in full space: all tets, all vertices free.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sinew/model/state.h"
#include "sinew/model/system.h"
#include "sinew/multilevel/error_estimator.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

// The full-space problem has the fine surface in contact where both ends of the step are free of intersection; else the
// forces of the method's own contact, without their stiffness.
class FullSpaceError {
 public:
  explicit FullSpaceError(std::shared_ptr<const System> system);

  void adapt(Change change);

  // Of the step from `before` to `after`, or the last part of one, of size `step` [s]. own_contact: the gradient of the
  // method's contact and friction in the step's potential, 3 x dynamic_count, asked for where the fine surface cannot
  // be used. The estimate is infinite where the potential is not finite, such as with inverted tets.
  StateError measure(const State& before, const State& after, double step, const std::function<Points()>& own_contact);

 private:
  struct Problem {
    Problem(std::shared_ptr<const System> system, bool contact);
    IncrementalPotential potential;
    StepContext context;
    ErrorEstimator estimator;
  };
  bool intersects(const State& state) const;

  std::shared_ptr<const System> system_;
  std::unique_ptr<Problem> fine_, without_contact_;  // once asked for
  Points g_, d_;
};

// The arithmetic of an estimate, from the size of the system [flops, at the rate of dense matrices].
double estimate_work(const System& system);

// Whether the row of a step (1 for the first) has an estimate: solver.error_every, with `cheap` whether an estimate
// costs less than a tenth of the step.
bool wants_error(const SolverSetup& solver, int step, bool cheap);

}  // namespace sinew
