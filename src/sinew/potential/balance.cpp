// Whether forces balance in full space: in statics at every vertex and over every body, and where contacts are.
#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

// Forces on a body count as adding up to nothing below this share of the largest force on a vertex.
constexpr double least_share = 0.1;

// Do the residuals of each body add up to less than `tolerance` of the largest sum of one term or of the reactions?
//
//   |sum_i g_i| <= tolerance max(|sum_i f_i| over terms, |sum of reactions|, floor)
//
// Many small residuals of one sign are a load that nothing carries. Terms on a body that is squeezed from both sides
// add up to nothing; `floor` [N] stands in for them.
bool resultants_balance(const System& system, const StepContext& context, const std::vector<TermForce>& terms,
                        const Points& g, double tolerance, double floor) {
  const auto bodies = static_cast<Index>(system.bodies.size());
  Points residual = Points::Zero(3, bodies), reaction = residual, sum = residual;
  for (Index i = 0; i < system.dynamic_count; ++i)
    for (int k = 0; k < 3; ++k)
      (context.prescribed[3 * static_cast<std::size_t>(i) + k] ? reaction : residual)(k, system.vertex_body[i]) +=
          g(k, i);
  VecX largest = reaction.colwise().norm().transpose();
  for (const TermForce& term : terms) {
    sum.setZero();
    for (Index i = 0; i < system.dynamic_count; ++i) sum.col(system.vertex_body[i]) += term.force.col(i);
    largest = largest.cwiseMax(sum.colwise().norm().transpose());
  }
  return (residual.colwise().norm().transpose().array() <= tolerance * largest.array().max(floor)).all();
}

}  // namespace

// The largest |grad E| over the free coordinates of a flagged vertex; in statics a force.
double IncrementalPotential::residual(const Points& g, std::span<const char> flags) const {
  return parallel_max(g.cols(), 0.0, [&](std::size_t i) {
    if (!flags.empty() && !flags[i]) return 0.0;
    Vec3 free = g.col(i);
    for (int k = 0; k < 3; ++k)
      if (context_->prescribed[3 * i + k]) free[k] = 0;
    return free.norm();
  });
}

// Statics: every free vertex, and then every body, is in balance to `share` of the largest force.
bool IncrementalPotential::forces_balance(const Points& x, const Points& g, std::span<const char> flags,
                                          double share) const {
  const std::vector<TermForce> terms = forces_by_term(x);
  double largest = 0;
  for (const TermForce& term : terms) largest = std::max(largest, term.force.colwise().norm().maxCoeff());
  if (!(residual(g, flags) <= share * largest)) return false;
  return !flags.empty() || resultants_balance(*system_, *context_, terms, g, share, least_share * largest);
}

// Of the stop test: a contact that opens within the radius has less stiffness than H knows (theory, section 4, step
// 3).
bool IncrementalPotential::contacts_soften(const Points& x, double radius) const {
  if (!context_->inertia) return contact_->softens(x, radius, {}, context_->contact_scale());
  if (!has_followers()) return contact_->softens(x, radius, system_->mass, context_->contact_scale());
  return contact_->softens(x, radius, point_mass_, context_->contact_scale());
}

// Normal forces settle, body by body. With the contact force c_i and the gradient g_i of E at the touching vertices
// i,
//
//   sum_i (g_i . c_i / |c_i|)^2 <= max(share^2 sum_i |c_i|^2, (tolerance h)^2 sum_i m_i^2).
//
// Only the part of g along c_i is an error of the normal force. The second bound lets pass what changes the velocity
// of the body by less than the tolerance.
bool IncrementalPotential::contacts_balance(const Points& x, const Points& g, std::span<const char> flags, double share,
                                            double tolerance) const {
  if (contact_->contacts().empty()) return true;
  const System& system = *system_;
  contact_forces_.setZero(3, system.dynamic_count);
  add_term_gradient(body_terms_, x, context_->contact_scale(), contact_forces_);  // of normal forces
  struct Balance {
    double unbalanced2 = 0, size2 = 0, mass2 = 0;
  };
  std::vector<Balance> bodies(system.bodies.size());
  for (Index i = 0; i < system.dynamic_count; ++i) {
    if (contact_forces_.col(i).isZero(0) || (!flags.empty() && !flags[i])) continue;
    Balance& body = bodies[system.vertex_body[i]];
    double unbalanced = 0;  // times |force|
    for (int k = 0; k < 3; ++k)
      if (!context_->prescribed[3 * static_cast<std::size_t>(i) + k]) unbalanced += g(k, i) * contact_forces_(k, i);
    const double size2 = contact_forces_.col(i).squaredNorm();
    body.unbalanced2 += unbalanced * unbalanced / size2;
    body.size2 += size2;
    if (context_->inertia) body.mass2 += system.mass[i] * system.mass[i];
  }
  const double reach = tolerance * context_->step;  // [m]
  return std::all_of(bodies.begin(), bodies.end(), [&](const Balance& body) {
    return body.unbalanced2 <= std::max(share * share * body.size2, reach * reach * body.mass2);
  });
}

}  // namespace sinew
