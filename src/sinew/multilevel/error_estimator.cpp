#include "sinew/multilevel/error_estimator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/pcg_stop.h"
#include "sinew/multilevel/multilevel_preconditioner.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

constexpr int most_estimate_iterations = 200;
// CG ends once both the energy norm of the error in d and its length are below a fifth of those of d: an estimate
// needs one digit.
constexpr double estimated_energy = 0.2, estimated_change = 0.2;
constexpr int automatic_handles = 0;
// Largest contraction theta that is believed, which lengthens the estimate by 1 / (1 - 0.8) = 5. It also stands for
// one that cannot be measured.
constexpr double slowest_contraction = 0.8;
constexpr double least_trial = 0.1;  // step along d from which its contraction can be measured

// Stops CG by the energy norm and keeps what d lacks,
//
//   lack = |M^{-1} r| / |d|,   r = -g - H d,
//
// from the sums that PCG has at hand (zz = |M^{-1} r|^2, xx = |d|^2).
class EstimateStop : public PcgStop {
 public:
  EstimateStop() : rule_(criteria()) {}
  bool by_change() const override { return true; }
  bool begin(double bb, const PcgSums& start) override { return rule_.begin(bb, start); }
  bool reached(const PcgSums& sums, double gain) override {
    lack_ = sums.xx > 0 ? std::sqrt(std::max(0.0, sums.zz) / sums.xx) : 0;
    return rule_.reached(sums, gain);
  }
  double lack() const { return lack_; }

 private:
  static DirectionCriteria criteria() {
    DirectionCriteria criteria;
    criteria.energy_share = estimated_energy;
    criteria.change_share = estimated_change;
    criteria.both = criteria.by_gains = true;
    return criteria;
  }

  DirectionStop rule_;
  double lack_ = 0;
};

}  // namespace

ErrorEstimator::ErrorEstimator(std::shared_ptr<const System> system, std::shared_ptr<Shared<EstimatorLevels>> levels)
    : solver_(std::make_unique<MultilevelPreconditioner>(std::move(system), automatic_handles, Preparation{},
                                                         std::move(levels))),
      assembly_(true) {}

void ErrorEstimator::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  indefinite_ = false;
  assembly_.begin_step(context, potential);
  solver_.begin_step(assembly_.structure());
}

// d = -H^{-1} g by PCG, with exact or projected elasticity:
//
// 1. g and H at x. Contacts are projected in both cases: the exact Hessian of the barrier is often indefinite.
// 2. M from H; with the exact elasticity it fails if A = U^T H U is indefinite.
// 3. CG until EstimateStop. It stops at negative curvature, and the exact H is then given up for this step.
//
// Returns false if H is found indefinite, or if numbers are not finite (then result.overflow).
bool ErrorEstimator::solve(const Points& x, bool exact, const Points& further, Points& g, Points& d,
                           DirectionResult& result) {
  // Without projection: a body that turns has compressed directions, whose projected Hessian is many times too stiff,
  // so that |d| would be too small (theory, section 8, "Acceptance").
  if (exact) potential_->elastic_hessian(x, Projection::none, elastic_);
  NewtonSystem system = assembly_.assemble(x, Projection::psd, solver_.parts(assembly_.has_contacts()), no_drift_, g, d,
                                           exact ? &elastic_ : nullptr);
  system.exact = exact;
  H_ = &system.H;
  result.overflow = !g.allFinite() || !further.allFinite() || !assembly_.finite();
  if (result.overflow) return false;
  const bool definite = solver_.compute(system);
  if (!definite && exact) return false;
  set_free(further.size() > 0 ? Points(g + further) : g, context_->prescribed, rhs_);
  solution_.setZero(3, assembly_.rows());
  EstimateStop stop;
  const LinearSolveReport report = solver_.solve(rhs_.data(), solution_.data(), stop, most_estimate_iterations);
  result.linear_iterations += report.iterations;
  if (report.indefinite && exact) return false;
  // An estimate that ended early may lack as much again as it has.
  result.remaining = 1 + (report.ok ? stop.lack() : std::max(1.0, stop.lack()));
  return true;
}

// error_i = (1 + lack) |d_i|: the correction, and what the truncated solve leaves of it.
DirectionResult ErrorEstimator::estimate(const Points& x, Points& g, Points& d, const Points& further) {
  DirectionResult result;
  const Stopwatch watch;
  const double assembly = potential_->assembly_seconds;
  d.setZero(3, x.cols());
  bool found = !indefinite_ && solve(x, true, further, g, d, result);
  if (!found && !result.overflow) {
    indefinite_ = true;
    found = solve(x, false, further, g, d, result);
  }
  if (found) take_free(solution_, context_->prescribed, d);
  result.ok = found && d.allFinite();
  if (!result.ok) result.reason = "the Hessian is not finite";
  result.linear_solve_seconds = watch.seconds() - (potential_->assembly_seconds - assembly);
  return result;
}

// Conjugate gradients for the exact Hessian, preconditioned by the levels of the projected one
// (linalg/negative_curvature.h).
Definiteness ErrorEstimator::curvature(const Points& x, Points& z) {
  Points g, d = Points::Zero(3, x.cols());
  solver_.begin_step(assembly_.structure());  // a level of the exact matrix could hide what is looked for
  const NewtonSystem projected =
      assembly_.assemble(x, Projection::psd, solver_.parts(assembly_.has_contacts()), no_drift_, g, d);
  if (!assembly_.finite() || !solver_.compute(projected)) return Definiteness::unknown;
  SymBlockMatrix H;
  potential_->derivatives(x, {.projection = Projection::none}, g, H);
  H.constrain(context_->prescribed, mean_diagonal(H));
  z.setZero(3, H.rows());
  return find_negative_curvature(H, solver_.preconditioner(), most_estimate_iterations, z.data());
}

// Contraction of Newton's method (Deuflhard 2004, section 3.3) from a simplified correction with the Hessian of x:
//
//   d' = -H(x)^{-1} g(x + t d),   theta = |d' - (1 - t) d| / (t^2 |d|).
//
// A linear g gives d' = (1 - t) d exactly; the rest is of second order in t, so that dividing by t^2 extrapolates to
// the full step that the filter did not allow. The sum of the corrections to come is |d| (1 + theta + ...) = |d| / (1
// - theta).
double ErrorEstimator::lengthening(const Points& x, const Points& d, const Points& further) {
  const Index n = assembly_.rows();
  const auto length = [&](const Points& u) { return parallel_sum(n, [&](std::size_t i) { return u.col(i).norm(); }); };
  const double whole = length(d);
  if (!(whole > 0)) return 1;
  const std::vector<PlaneState> planes = potential_->contact().planes();
  Points way = d;
  potential_->complete(way);
  const double t = potential_->max_step(x, way, planes);
  double theta = slowest_contraction;
  if (t >= least_trial) {
    const Points trial = x + t * way;
    Points g;
    // Contacts may come and go over t d. g takes those of the trial point; the estimate keeps those of x.
    potential_->set_contacts(trial, planes);
    potential_->gradient(trial, g);
    potential_->set_contacts(x, planes);
    if (g.allFinite()) {
      set_free(further.size() > 0 ? Points(g + further) : g, context_->prescribed, rhs_);
      solution_.setZero(3, n);
      EstimateStop stop;
      solver_.solve(rhs_.data(), solution_.data(), stop, most_estimate_iterations);
      Points left = Points::Zero(3, x.cols());
      take_free(solution_, context_->prescribed, left);
      const double change = length(left - (1 - t) * d) / (t * t * whole);
      if (change < theta) theta = change;
    }
  }
  return 1 / (1 - theta);
}

}  // namespace sinew
