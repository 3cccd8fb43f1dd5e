// Steps that are made in parts, of time and of load.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/dynamics/full_space_stepper.h"
#include "sinew/dynamics/integrator.h"

namespace sinew {
namespace {

// Iterations of a part of a step, at most: one that takes more is better divided again, as long as that can be done.
constexpr int part_iterations = 60;

}  // namespace

int FullSpaceStepper::most_parts() const {
  return StepParts::smallest_parts(system_->setup.time.substeps);
}

bool FullSpaceStepper::may_divide(const StepReport& report) const {
  return report.failed() && most_parts() > 1;
}

// The parts of the step after state_, each from the end of the one before. `from` becomes the state where the last part
// begins. None where the smallest part fails.
std::optional<FullSpaceStepper::Solution> FullSpaceStepper::solve_parts(StepParts& parts, State& from,
                                                                        StepReport& report) {
  const double start = state_.time, end = end_of_step(*system_, state_);
  report.substeps = 0;
  const bool statics = system_->setup.time.integrator == Integrator::statics;
  const MinimizerSettings whole = minimizer_settings(*system_);
  MinimizerSettings short_trial = whole;
  short_trial.max_iterations = std::min(whole.max_iterations, part_iterations);
  bool friction_converged = true;
  std::string budget;  // why a part ended before the stop test passed
  while (true) {
    const bool last = parts.is_last();
    minimizer_.set(!statics && parts.is_smallest() ? whole : short_trial);
    Solution part = solve(from, last ? end : start + (end - start) * parts.end(), parts.share(), report);
    if (report.failed()) {
      if (!parts.failed()) return {};
      continue;
    }
    ++report.substeps;
    report.friction_converged = friction_converged = report.friction_converged && friction_converged;
    if (report.budget) budget = report.reason;
    if (context_.inertia) add_mean_contact(part.x, parts.share());
    if (last) {
      if (context_.inertia && !budget.empty() && report.converged) {
        report.converged = false;
        report.budget = true;
        report.reason = budget;
      }
      return part;
    }
    if (may_gain(report)) part.value = without_gain(from, part.x, part.planes, part.value, report);
    from = finish(from, part, report);
    from.step = state_.step;
    parts.succeeded();
  }
}

// A time step in parts, `first` of them to begin with. Where the smallest one fails, the step is made in one.
FullSpaceStepper::Solution FullSpaceStepper::solve_time_step(int first, State& from, StepReport& report) {
  StepParts parts(most_parts(), first);
  if (std::optional<Solution> end = solve_parts(parts, from, report)) return *std::move(end);
  from = state_;
  mean_contact_.resize(3, 0);
  report.substeps = 1;
  minimizer_.set(minimizer_settings(*system_));
  Solution whole = solve(from, end_of_step(*system_, state_), 1, report);
  if (report.failed() && parts.done() > 0)
    report.reason += fmt::format("; in parts it converges up to {:.3g} of the step", parts.done());
  return whole;
}

// Adds the forces at the end of a part, with its share of the step.
void FullSpaceStepper::add_mean_contact(const Points& x, double share) {
  if (mean_contact_.cols() == 0) mean_contact_.setZero(3, system_->dynamic_count);
  if (potential_.contact().contacts().empty() && !potential_.contact().has_friction()) return;
  mean_contact_ += share * (potential_.force(EnergyKind::barrier, x) + potential_.force(EnergyKind::friction, x));
}

}  // namespace sinew
