#include "sinew/dynamics/path_corrector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/solver/force_balance.h"

namespace sinew {
namespace {

// Iterations after which a shorter step is tried, and the shortest part of a direction.
constexpr int most_iterations = 16;
constexpr double shortest_part = 1e-4;
// As of the stop test of load steps (solver/stop_test.cpp).
constexpr double settled = 2e-3;
constexpr double confirmed_reach = 4;
constexpr int patience = 5;

class Corrector {
 public:
  Corrector(PathSystem& system, const PathConstraint& constraint, const MinimizerSettings& settings, StepReport& report)
      : system_(system),
        constraint_(constraint),
        settings_(settings),
        report_(report),
        balance_(settings.force_tolerance) {
    balance_.begin();
  }

  // Whether the iterations end at the point: its Newton direction d is the distance to the solution to second order.
  bool solved(const PathPoint& point, const StepNorms& norms) {
    IncrementalPotential& potential = system_.potential();
    if (!system_.in_place() || !(norms.of(settings_.mean_norm) < settings_.tolerance)) return false;
    const Points& g = system_.gradient();
    if (!balance_.balanced(potential, point.x, g, {}) && !balance_.stalled(potential, g, {}, patience)) return false;
    return potential.contacts_balance(point.x, g, {}, settled, settings_.tolerance) && confirmed(point, norms);
  }

  // Takes a part of the direction: the largest that filters allow, halved until Newton's next direction with this
  // matrix is shorter, |d'| <= (1 - share / 4) |d| (the natural monotonicity test; Deuflhard 2004, section 3.3).
  // Returns why there is none, or nothing.
  std::string advance(PathPoint& point, PathVector d, bool small) {
    const double load = constraint_.load.value_or(point.load + d.load);
    double share = system_.admissible(point, load, d);
    if (!(share > shortest_part)) return "bodies about to intersect, or tets about to invert, allow no step";
    const double length = system_.norm(d);
    for (; share > shortest_part; share /= 2, ++report_.line_search_steps) {
      system_.admissible(point, load, d);  // E is that at the end of d
      PathPoint trial = system_.along(point, load, d, share);
      const double next = system_.norm(system_.simplified(trial, constraint_));
      if (!small && !(next <= (1 - share / 4) * length)) continue;
      if (!std::isfinite(next)) continue;
      point = std::move(trial);
      return {};
    }
    return "the iterations diverge";
  }

 private:
  // As the stop test of load steps: with the least stiffness of contacts within a few times the direction's length, the
  // direction is no longer than that.
  bool confirmed(const PathPoint& point, const StepNorms& norms) {
    IncrementalPotential& potential = system_.potential();
    const double radius = std::min(confirmed_reach * norms.max, settings_.tolerance);
    if (!potential.contacts_soften(point.x, radius)) return true;
    const bool soft = system_.linearize(point, radius);
    const bool near = soft && potential.norms(system_.direction(point, constraint_).x).max <= radius;
    return system_.linearize(point) && near;
  }

  PathSystem& system_;
  const PathConstraint& constraint_;
  const MinimizerSettings& settings_;
  StepReport& report_;
  ForceBalance balance_;
};

}  // namespace

PathCorrection correct(PathSystem& system, const PathConstraint& constraint, const MinimizerSettings& settings,
                       const std::function<void()>& check_interrupt, PathPoint& point, StepReport& report) {
  PathCorrection result;
  Corrector corrector(system, constraint, settings, report);
  for (int iteration = 0;; ++iteration) {
    check_interrupt();
    if (!system.linearize(point)) {
      result.reason = "the stiffness is singular or not finite";
      return result;
    }
    PathVector d = system.direction(point, constraint);
    const StepNorms norms = system.potential().norms(d.x);
    if (!std::isfinite(norms.mean) || !std::isfinite(d.load)) {
      result.reason = "the direction is not finite";
      return result;
    }
    report.residual = norms.max;
    result.converged = corrector.solved(point, norms);
    if (result.converged) return result;
    if (iteration >= most_iterations) {
      result.reason = "the residual is still above solver.tolerance";
      return result;
    }
    const bool small = norms.of(settings.mean_norm) < settings.tolerance;
    result.reason = corrector.advance(point, std::move(d), small);
    if (!result.reason.empty()) return result;
    if (!small) ++result.iterations;
    ++report.newton_iterations;
  }
}

}  // namespace sinew
