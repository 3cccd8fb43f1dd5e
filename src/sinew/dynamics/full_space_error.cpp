#include "sinew/dynamics/full_space_error.h"

#include <limits>
#include <utility>

#include "sinew/contact/intersection.h"
#include "sinew/contact/layer_overlap.h"
#include "sinew/dynamics/integrator.h"

namespace sinew {
namespace {

// Flops a tet: derivatives of its energy with their projection, its share of the reduced matrix, and ten products; ten
// times as many, since sparse matrices are worked with at a tenth of the rate of the dense ones of a reduced step.
constexpr double tet_flops = 1e5;
// Rows with an estimate where it is not cheap, by default.
constexpr int usual_rows = 10;

}  // namespace

FullSpaceError::Problem::Problem(std::shared_ptr<const System> system, bool contact,
                                 std::shared_ptr<Shared<EstimatorLevels>> levels)
    : potential(system, {.contact = contact}), estimator(system, std::move(levels)) {}

FullSpaceError::FullSpaceError(std::shared_ptr<const System> system, std::shared_ptr<Shared<EstimatorLevels>> levels)
    : system_(std::move(system)), levels_(std::move(levels)) {}

void FullSpaceError::adapt(Change change) {
  for (Problem* problem : {fine_.get(), without_contact_.get()}) {
    if (!problem) continue;
    problem->potential.adapt(change);
    problem->estimator.adapt(change);
  }
}

bool FullSpaceError::intersects(const State& state) const {
  return !find_intersections(system_->collision, state.x, state.held).empty() ||
         !find_below_planes(system_->collision, state.x, state.planes).empty() ||
         !find_layer_overlaps(system_->collision, state.x, state.planes, state.held).empty();
}

StateError FullSpaceError::measure(const State& before, const State& after, double step,
                                   const std::function<Points()>& own_contact) {
  const bool contact = system_->setup.contact.enabled;
  const bool fine = !contact || (!intersects(before) && !intersects(after));
  std::unique_ptr<Problem>& problem = fine ? fine_ : without_contact_;
  if (!problem) problem = std::make_unique<Problem>(system_, fine, levels_);
  prepare_step(*system_, before, after.time, step, problem->context);
  problem->potential.begin_step(problem->context, system_->contact_stiffness);
  problem->potential.set_contacts(after.x, after.planes);
  problem->estimator.begin_step(problem->context, problem->potential);
  const Points further = fine ? Points() : own_contact();
  const DirectionResult found = problem->estimator.estimate(after.x, g_, d_, further);
  const double longer = found.ok ? problem->estimator.lengthening(after.x, d_, further) : 1;
  StateError error = state_error(after.x, problem->context, d_, found.remaining * longer);
  if (!found.ok) error.estimate = std::numeric_limits<double>::infinity();
  const bool tested = found.ok && fine && !problem->context.inertia && system_->setup.solver.instability != "ignore";
  error.unstable = tested && problem->estimator.curvature(after.x, d_) == Definiteness::indefinite;
  return error;
}

double estimate_work(const System& system) {
  return tet_flops * static_cast<double>(system.tet_count());
}

// The first row has one, so that short runs have any.
bool wants_error(const SolverSetup& solver, int step, bool cheap) {
  if (solver.error_every == 0) return false;
  if (solver.error_every < 0 && cheap) return true;
  const int every = solver.error_every > 0 ? solver.error_every : usual_rows;
  return step == 1 || step % every == 0;
}

}  // namespace sinew
