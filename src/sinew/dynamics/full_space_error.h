// Estimates the distance of a subspace step from the full-space step, which has all tets and all vertices free.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sinew/model/state.h"
#include "sinew/model/system.h"
#include "sinew/multilevel/error_estimator.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

// The full-space problem uses contact of the fine surface if both ends of the step are free of intersections. Otherwise
// it uses the forces of the method's own contact, without their stiffness.
class FullSpaceError {
 public:
  // levels: as for ErrorEstimator.
  explicit FullSpaceError(std::shared_ptr<const System> system, std::shared_ptr<Shared<EstimatorLevels>> levels = {});

  void adapt(Change change);

  // Estimates the error of the step from `before` to `after`, or of the last part of the step, of size `step` [s].
  // own_contact: returns the gradient of the method's contact and friction in the step's potential, 3 x dynamic_count.
  // It is called if the fine surface cannot be used. The estimate is infinite if the potential is not finite, for
  // example with inverted tets.
  StateError measure(const State& before, const State& after, double step, const std::function<Points()>& own_contact);

 private:
  struct Problem {
    Problem(std::shared_ptr<const System> system, bool contact, std::shared_ptr<Shared<EstimatorLevels>> levels);
    IncrementalPotential potential;
    StepContext context;
    ErrorEstimator estimator;
  };
  bool intersects(const State& state) const;

  std::shared_ptr<const System> system_;
  std::shared_ptr<Shared<EstimatorLevels>> levels_;
  std::unique_ptr<Problem> fine_, without_contact_;  // made when first needed
  Points g_, d_;
};

// Returns the estimated work of one call of measure() [flops, at the rate of dense matrices].
double estimate_work(const System& system);

// Whether solver.error_every requests an estimate for step `step` (from 1). cheap: an estimate costs less than a tenth
// of the step.
bool wants_error(const SolverSetup& solver, int step, bool cheap);

}  // namespace sinew
