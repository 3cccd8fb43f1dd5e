#include "sinew/solver/force_balance.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Of the largest force on a vertex, below which the forces on a body count as adding up to nothing.
constexpr double least_share = 0.1;

// The largest |grad E| over the free coordinates of a flagged vertex; in statics a force [N].
double residual(const StepContext& context, const Points& g, std::span<const char> flags) {
  return parallel_max(g.cols(), 0.0, [&](std::size_t i) {
    if (!flags.empty() && !flags[i]) return 0.0;
    Vec3 free = g.col(i);
    for (int k = 0; k < 3; ++k)
      if (context.fixed[3 * i + k]) free[k] = 0;
    return free.norm();
  });
}

// Whether the sum of the residuals of each body is below `tolerance` times the largest sum over it of one term or of
// the reactions: many small residuals of one sign are a load that nothing carries. Sums below `floor` [N], of bodies
// that are squeezed, count as that.
bool resultants_balance(const System& system, const StepContext& context, const std::vector<TermForce>& terms,
                        const Points& g, double tolerance, double floor) {
  const auto bodies = static_cast<Index>(system.bodies.size());
  Points residual = Points::Zero(3, bodies), reaction = residual, sum = residual;
  for (Index i = 0; i < system.dynamic_count; ++i)
    for (int k = 0; k < 3; ++k)
      (context.fixed[3 * static_cast<std::size_t>(i) + k] ? reaction : residual)(k, system.vertex_body[i]) += g(k, i);
  VecX largest = reaction.colwise().norm().transpose();
  for (const TermForce& term : terms) {
    sum.setZero();
    for (Index i = 0; i < system.dynamic_count; ++i) sum.col(system.vertex_body[i]) += term.force.col(i);
    largest = largest.cwiseMax(sum.colwise().norm().transpose());
  }
  return (residual.colwise().norm().transpose().array() <= tolerance * largest.array().max(floor)).all();
}

}  // namespace

bool ForceBalance::balanced(const IncrementalPotential& potential, const Points& x, const Points& g,
                            std::span<const char> flags) const {
  const StepContext& context = potential.context();
  if (context.inertia) return true;
  const std::vector<TermForce> terms = potential.forces_by_term(x);
  double largest = 0;
  for (const TermForce& term : terms) largest = std::max(largest, term.force.colwise().norm().maxCoeff());
  if (!(residual(context, g, flags) <= tolerance_ * largest)) return false;
  return !flags.empty() || resultants_balance(potential.system(), context, terms, g, tolerance_, least_share * largest);
}

bool ForceBalance::stalled(const IncrementalPotential& potential, const Points& g, std::span<const char> flags,
                           int calls) {
  const double now = residual(potential.context(), g, flags);
  if (now <= 0.5 * least_) {
    least_ = now;
    without_fall_ = 0;
  } else {
    ++without_fall_;
  }
  return without_fall_ >= calls;
}

}  // namespace sinew
