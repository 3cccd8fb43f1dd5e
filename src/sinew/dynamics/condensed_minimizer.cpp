#include "sinew/dynamics/condensed_minimizer.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sinew/dynamics/convergence_rate.h"

namespace sinew {
namespace {

constexpr const char* not_definite = "the condensed matrix is not positive definite, or not finite";

}  // namespace

CondensedMinimizer::CondensedMinimizer(CondensedProblem& problem)
    : problem_(problem), direction_(problem), search_(problem) {
  const PositionSpace& space = problem.space();
  d_.y.setZero(space.unknown_rows(), space.unknown_columns());
  d_.s.assign(problem.stretch_count(), 0);
}

void CondensedMinimizer::give_up(Cause cause, std::string reason) {
  end_.cause = cause;
  end_.reason = std::move(reason);
}

void CondensedMinimizer::minimize(CondensedPoint& at, const std::function<void()>& check_interrupt,
                                  StepReport& report) {
  end_ = {};
  iterate(at, check_interrupt, report);
  report.reason = end_.reason;
  end_.residual = report.residual;
  end_.iterations = report.newton_iterations;
  end_.line_search_steps = report.line_search_steps;
}

// Sequential quadratic programming drops the curvature of the constraint and converges linearly, so that the remaining
// distance is estimated from the rate (convergence_rate.h).
void CondensedMinimizer::iterate(CondensedPoint& at, const std::function<void()>& check_interrupt, StepReport& report) {
  const SolverSetup& solver = problem_.solver();
  const int most = std::max(solver.max_iterations, solver.iterations);
  // Of a direction's velocity, by positions at the start [m/s].
  const double rounding_floor =
      64 * std::numeric_limits<double>::epsilon() * problem_.extent(at.y) / problem_.step().step;
  const FrictionRounds rounds = problem_.friction_rounds();
  int round = 0;
  RateOfConvergence rate;
  direction_.begin_step();
  report.converged = false;
  double left = problem_.aim(at.y);  // of the way of what is prescribed [m]
  bool wait = false;                 // so that bodies can give way to it
  int blocked = 0;                   // times in a row that it could not go on
  bool moved = true;
  for (int i = 0; i < most; ++i) {
    check_interrupt();
    if (left > 0 && !wait) {
      const CondensedDirectionResult direction = direction_.along(at, left, d_, report);
      report.residual = direction.largest;
      if (!direction.found) return give_up(Cause::singular, not_definite);
      const double length = search_.follow(at, d_, direction.longest, report);
      end_.history.add({direction.measure, search_.filter(), search_.limit()});
      wait = length < shortest_way;
      blocked = length == 0 || (length < 0.5 && problem_.is_jammed(at.y)) ? blocked + 1 : 0;
      if (blocked == most_blocked)
        return give_up(Cause::blocked_motion,
                       "prescribed motion is blocked: obstacles or fixed vertices press bodies that cannot give way");
      left = length == 1 ? 0 : problem_.aim(at.y);
      continue;
    }
    wait = false;
    const CondensedDirectionResult direction = direction_.direction(at, d_, report);
    report.residual = direction.largest;
    if (!direction.found) return give_up(Cause::singular, not_definite);
    const double length = search_.search(at, d_, direction.slope, direction.longest, report);
    end_.history.add({direction.measure, search_.filter(), search_.limit()});
    const bool fresh = direction_.is_fresh();
    direction_.took(d_.y, length == 1);
    // Three ways to converge: the direction is at its rounding floor; or it was taken in full and what is left of the
    // way, by the rate of convergence, is below the tolerance; or it is below the tolerance and no longer decreases.
    rate.add(direction.measure, length == 1);
    const bool below = direction.measure < solver.tolerance;
    report.rounding_floor = direction.largest <= rounding_floor || (below && (length == 0 || rate.stagnates()));
    report.converged = left == 0 && (report.rounding_floor || (length == 1 && rate.left() < solver.tolerance));
    if (report.converged) {
      report.friction_iterations = ++round;
      report.friction_residual = problem_.friction_error(at.y);
      report.friction_converged = report.friction_residual <= rounds.tolerance;
      const bool spent = solver.iterations > 0 && i + 1 >= solver.iterations;
      if (report.friction_converged || spent || round >= rounds.most) return;
      problem_.lag_friction(at.y);
      rate = {};
      report.converged = report.rounding_floor = false;
      continue;
    }
    if (solver.iterations > 0 && i + 1 >= solver.iterations && left == 0) {
      report.budget = true;
      end_.reason = budget_text(solver.iterations, rate.left(), solver.tolerance, !problem_.step().inertia);
      return;
    }
    // Where s is far from S(F) the merit function may fall along no direction; s is then reset to S(F) once.
    const bool anew = length == 0 && moved && problem_.is_mixed();
    moved = length > 0;
    if (anew) {
      problem_.stretches(at.y, at.s);
      problem_.leave();
      continue;
    }
    if (length == 0 && !fresh) continue;
    if (length == 0)
      return give_up(Cause::line_search,
                     fmt::format("no step along the direction decreases the merit function at a residual of {:.3g} m/s",
                                 report.residual));
  }
  if (left > 0) {
    give_up(Cause::slow_motion, fmt::format("prescribed motion did not reach its target within {} iterations", most));
  } else if (report.residual < solver.tolerance) {
    give_up(Cause::too_few_iterations,
            fmt::format("the residual is {:.3g} m/s after {} iterations, but by the rate at which it shrinks more than "
                        "the tolerance of {:.3g} is left",
                        report.residual, most, solver.tolerance));
  } else {
    give_up(Cause::oscillation, fmt::format("the residual is {:.3g} m/s after {} iterations, the tolerance {:.3g}",
                                            report.residual, most, solver.tolerance));
  }
}

}  // namespace sinew
