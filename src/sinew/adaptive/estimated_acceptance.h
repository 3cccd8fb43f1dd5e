// Decides, by an estimate of the full-space error, whether a step of an adaptive subspace may end (theory, section 8,
// "Acceptance"; not in TS).
#pragma once

#include <memory>
#include <vector>

#include "sinew/multilevel/error_estimator.h"
#include "sinew/solver/descent_direction.h"
#include "sinew/solver/force_balance.h"

namespace sinew {

class EstimatedAcceptance {
 public:
  // levels: as for ErrorEstimator.
  EstimatedAcceptance(std::shared_ptr<const System> system, std::shared_ptr<Shared<EstimatorLevels>> levels);

  void adapt(Change change);
  // context and potential are kept by reference.
  void begin_step(const StepContext& context, IncrementalPotential& potential);

  const std::shared_ptr<Shared<EstimatorLevels>>& levels() const { return levels_; }
  // The estimator is made at first use: the paper's rule (acceptance: "oracle") needs no preconditioner in full space.
  ErrorEstimator& estimator();
  // The error of the state x; none if it is not known.
  std::optional<StateError> error(const Points& x);

  // Estimates the error at x (3 x n_all) and returns whether that of each body is accepted. gradient() and direction()
  // then return those of the estimate.
  Acceptance judge(const Points& x);
  const Points& gradient() const { return g_; }   // 3 x dynamic_count
  const Points& direction() const { return d_; }  // 3 x n_all, -H^-1 g
  // Reports that a share alpha of the direction was taken.
  void took(double alpha);

  // From the last judgement [m]: level() is the largest accepted error of a body, least_level() the smallest of these.
  // If the mean error is above worth(), a last step along the direction pays off.
  double level(Index body) const { return level_[body]; }
  double least_level() const { return least_level_; }  // 0: nothing was judged in this step
  double worth() const { return worth_; }

 private:
  bool find_levels(const Points& x, const Points& d, double factor);

  std::shared_ptr<const System> system_;
  std::shared_ptr<Shared<EstimatorLevels>> levels_;
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  ForceBalance balance_;                       // over all vertices, in statics
  std::unique_ptr<ErrorEstimator> estimator_;  // made when first needed
  bool ready_ = false;                         // the estimator has the current step
  Points g_, d_;
  std::vector<double> level_;  // by body [m]
  double least_level_ = 0, worth_ = 0;
  double taken_ = 0;  // mean length [m] of the last direction if the step took it in full, else 0
};

}  // namespace sinew
