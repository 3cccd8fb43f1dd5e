#include "sinew/dynamics/step_report.h"

#include <fmt/format.h>

#include "sinew/potential/friction_rounds.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

TimeSplit& TimeSplit::operator+=(const TimeSplit& other) {
  total += other.total;
  setup += other.setup;
  steps += other.steps;
  assembly += other.assembly;
  linear_solve += other.linear_solve;
  symbolic += other.symbolic;
  collision += other.collision;
  line_search += other.line_search;
  elimination += other.elimination;
  output += other.output;
  return *this;
}

void fill_report(const MinimizeReport& result, StepReport& report) {
  report.converged = result.converged;
  report.budget = result.budget;
  report.reason = result.reason;
  report.diagnosis = result.diagnosis;
  report.rounding_floor = result.at_rounding_floor;
  report.residual = result.residual;
  report.error = result.error;
  report.newton_iterations += result.iterations;
  report.linear_iterations += result.linear_iterations;
  report.line_search_steps += result.line_search_steps;
  report.factorizations += result.factorizations;
  report.projected_factorizations += result.projected_factorizations;
  report.seconds.linear_solve += result.linear_solve_seconds;
  report.seconds.symbolic += result.symbolic_seconds;
  report.seconds.line_search += result.line_search_seconds;
  report.local_iterations += result.local.iterations;
  report.seconds.elimination += result.local.seconds;
  report.levels.add(result.levels);
  if (!result.adaptive) return;
  if (!report.adaptive) report.adaptive.emplace();
  report.adaptive->add(*result.adaptive);
}

bool is_unsettled(const StepReport& report, const System& system) {
  return report.converged && !report.friction_converged && system.setup.contact.friction_iterations == 0;
}

std::string unsettled_text(const StepReport& report, const System& system) {
  return fmt::format(
      "the friction error is {:.2g} of coefficient times normal force after {} updates, above the tolerance {:.2g}",
      report.friction_residual, report.friction_iterations, friction_rounds(system).tolerance);
}

}  // namespace sinew
