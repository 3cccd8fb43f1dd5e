#include "sinew/adaptive/estimated_acceptance.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sinew/core/timer.h"
#include "sinew/solver/motion_tolerance.h"

namespace sinew {
namespace {

// Last steps are taken from this share of the accuracy on, and from a share of the tolerance. Errors below them could
// not add up to much. Motions far below the tolerance would else not be followed at all.
constexpr double worth_a_step = 0.1, worth_of_tolerance = 1e-3;
// Estimates that shrink no faster than this from one full step to the next count as if they did.
constexpr double slowest = 0.9;
// Accepted estimates in statics after which forces that come no nearer to balance are rounding; as in stop_test.cpp.
constexpr int most_unbalanced = 5;

}  // namespace

EstimatedAcceptance::EstimatedAcceptance(std::shared_ptr<const System> system,
                                         std::shared_ptr<Shared<EstimatorLevels>> levels)
    : system_(std::move(system)),
      levels_(levels ? std::move(levels) : std::make_shared<Shared<EstimatorLevels>>()),
      balance_(system_->setup.solver.force_tolerance) {}

// The basis of the estimator's preconditioner depends on the stiffness. It is made again, as in a copy or a run that
// goes on from here: estimates decide what is taken in, and so the bits of later steps.
void EstimatedAcceptance::adapt(Change change) {
  if (change == Change::materials || change == Change::fibers) {
    levels_ = std::make_shared<Shared<EstimatorLevels>>();
    estimator_.reset();
  }
  if (estimator_) estimator_->adapt(change);
}

void EstimatedAcceptance::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  ready_ = false;
  balance_.begin();
  least_level_ = taken_ = 0;
}

ErrorEstimator& EstimatedAcceptance::estimator() {
  if (!estimator_) estimator_ = std::make_unique<ErrorEstimator>(system_, levels_);
  if (!ready_) estimator_->begin_step(*context_, *potential_);
  ready_ = true;
  return *estimator_;
}

std::optional<StateError> EstimatedAcceptance::error(const Points& x) {
  const DirectionResult found = estimator().estimate(x, g_, d_);
  if (!found.ok) return {};
  return state_error(x, *context_, d_, found.remaining);
}

void EstimatedAcceptance::took(double alpha) {
  taken_ = alpha == 1 ? step_norms(d_, system_->dynamic_count, 1).mean : 0;
}

// Whether the error of each body is accepted: of d, whose lengths are multiplied by `factor`.
//
//   mean of factor |d_i| <= level = max(accuracy * mean of |x_i - x_i at the start|, tolerance h)
//
// with the tolerance for that motion in time (motion_tolerance.h).
bool EstimatedAcceptance::find_levels(const Points& x, const Points& d, double factor) {
  struct Sums {
    double error = 0, motion = 0;
    Index count = 0;
  };
  std::vector<Sums> bodies(system_->bodies.size());
  for (Index i = 0; i < system_->dynamic_count; ++i) {
    Sums& body = bodies[system_->vertex_body[i]];
    body.error += factor * d.col(i).norm();
    body.motion += (x.col(i) - context_->start.col(i)).norm();
    ++body.count;
  }
  const double h = context_->step, tolerance = system_->setup.solver.tolerance;
  bool accepted = true;
  level_.assign(bodies.size(), tolerance * h);
  least_level_ = worth_ = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].count == 0) continue;
    const double count = bodies[b].count, motion = bodies[b].motion / count;
    const double least = (context_->inertia ? motion_tolerance(tolerance, motion / h) : tolerance) * h;
    const double relative = system_->setup.solver.adaptive.accuracy * motion;
    level_[b] = std::max(relative, least);
    accepted &= bodies[b].error / count <= level_[b];
    least_level_ = std::min(least_level_, level_[b]);
    worth_ = std::min(worth_, std::max(worth_a_step * relative, worth_of_tolerance * least));
  }
  return accepted;
}

// In four steps:
//
// 1. d = -H^{-1} g in full space by PCG, error_i = (1 + lack) |d_i|      (multilevel/error_estimator.h).
// 2. After a full step along the estimate before: error / (1 - theta), theta = |d| / |d_before|.
// 3. If that would be accepted: once more over 1 - theta of a simplified correction.
// 4. Statics: forces must balance, too.
Acceptance EstimatedAcceptance::judge(const Points& x) {
  Acceptance acceptance;
  const Stopwatch watch;
  acceptance.work = estimator().estimate(x, g_, d_);
  AdaptiveReport& report = acceptance.work.adaptive.emplace();
  report.estimates = 1;
  report.estimate = watch.seconds();
  if (!acceptance.work.ok) return acceptance;
  // Step 2. Errors after full steps shrink by theta each: d + theta d + theta^2 d + ... = d / (1 - theta), as in
  // solver/stop_test.cpp.
  const double length = step_norms(d_, system_->dynamic_count, 1).mean;
  const double theta = taken_ > 0 ? std::min(length / taken_, slowest) : 0.0;
  const double factor = acceptance.work.remaining / (1 - theta);
  taken_ = 0;
  acceptance.error = state_error(x, *context_, d_, factor);
  acceptance.accepted = find_levels(x, d_, factor);
  if (acceptance.accepted && acceptance.error->estimate > worth_of_tolerance * least_level_) {
    // Step 3. The corrections of slender bodies that turn are much shorter than their error, since H stiffens along a
    // chord.
    const double lengthened = factor * estimator().lengthening(x, d_);
    acceptance.error = state_error(x, *context_, d_, lengthened);
    acceptance.accepted = find_levels(x, d_, lengthened);
  }
  // Step 4. Contact forces follow from tiny gaps: positions that are right to a few per cent of the motion may have
  // contact forces that are wrong by a multiple.
  if (acceptance.accepted && !balance_.balanced(*potential_, x, g_, {}) &&
      !balance_.stalled(*potential_, g_, {}, most_unbalanced))
    acceptance.accepted = false;
  if (acceptance.accepted) balance_.begin();  // a further round of friction is another minimisation
  report.estimate = watch.seconds();
  report.refusals = acceptance.accepted ? 0 : 1;
  return acceptance;
}

}  // namespace sinew
