// Steps that are made in parts, of time and of load.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/stepper.h"

namespace sinew {
namespace {

// Iterations of a part of a step, at most: one that takes more is better divided again, as long as that can be done.
constexpr int part_iterations = 60;

// Whether a part that failed ended at positions from which the next one may begin.
bool has_end(const StepReport& report) {
  return report.diagnosis && report.diagnosis->cause != Cause::not_finite && report.diagnosis->cause != Cause::singular;
}

}  // namespace

int Stepper::most_parts() const {
  return StepParts::smallest_parts(system_->setup.time.substeps);
}

bool Stepper::may_divide(const StepReport& report) const {
  return report.failed() && most_parts() > 1;
}

// The parts of the step after state_, each from the end of the one before. `from` becomes the state where the last part
// begins. Where the smallest part fails, false; or, if the step goes on, the next part begins where it ended, and the
// report has its failure.
bool Stepper::solve_parts(StepParts& parts, bool goes_on, State& from, Solution& part, StepReport& report) {
  const double start = state_.time, end = end_of_step(*system_, state_);
  report.substeps = 0;
  const bool statics = system_->setup.time.integrator == Integrator::statics;
  const MinimizerSettings whole = settings_(*system_);
  MinimizerSettings short_trial = whole;
  short_trial.max_iterations = std::min(whole.max_iterations, part_iterations);
  bool friction_converged = true;
  std::string budget;  // why a part ended before the stop test passed
  std::string failure;
  std::optional<Diagnosis> diagnosis;  // of the first part that failed
  while (true) {
    const bool last = parts.is_last();
    minimizer_.set(!statics && parts.is_smallest() ? whole : short_trial);
    solve(from, last ? end : start + (end - start) * parts.end(), parts.share(), part, report);
    if (report.failed()) {
      if (parts.failed()) continue;
      if (!goes_on || !has_end(report)) return false;
      if (!diagnosis) {
        failure =
            fmt::format("{}; in the part from {:.3g} to {:.3g} of the step", report.reason, parts.done(), parts.end());
        diagnosis = report.diagnosis;
      }
    }
    ++report.substeps;
    report.friction_converged = friction_converged = report.friction_converged && friction_converged;
    if (report.budget) budget = report.reason;
    if (context().inertia) add_mean_contact(part.x, parts.share());
    if (last && diagnosis) {
      report.converged = report.budget = false;
      report.reason = failure;
      report.diagnosis = diagnosis;
      return true;
    }
    if (last) {
      if (context().inertia && !budget.empty() && report.converged) {
        report.converged = false;
        report.budget = true;
        report.reason = budget;
      }
      return true;
    }
    if (report.failed() || may_gain(report)) part.value = without_gain(from, part.x, part.planes, part.value, report);
    finish(from, part, report, next_);
    std::swap(from, next_);
    from.step = state_.step;
    parts.succeeded();
  }
}

// A time step in parts, `first` of them to begin with. Where the smallest one fails, a step that is divided because of
// its failure is made in one. One that is divided ahead (far: bodies travel further than they are long) goes on,
// because a single step might put bodies on the wrong sides of each other.
void Stepper::solve_time_step(int first, bool far, State& from, Solution& at, StepReport& report) {
  StepParts parts(most_parts(), first);
  if (solve_parts(parts, far, from, at, report)) return;
  from = state_;
  mean_contact_.resize(3, 0);
  report.warnings.clear();
  report.substeps = 1;
  minimizer_.set(settings_(*system_));
  solve(from, end_of_step(*system_, state_), 1, at, report);
  if (report.failed() && parts.done() > 0)
    report.reason += fmt::format("; in smaller parts, the step converges up to {:.3g} of its length", parts.done());
}

// Adds the forces at the end of a part, with its share of the step.
void Stepper::add_mean_contact(const Points& x, double share) {
  if (mean_contact_.cols() == 0) mean_contact_.setZero(3, system_->dynamic_count);
  const Points force = model_->contact_force(x);
  if (force.cols() > 0) mean_contact_ += share * force;
}

}  // namespace sinew
