#include "sinew/dynamics/full_space_gradient.h"

#include <cmath>

#include "sinew/model/external_force.h"
#include "sinew/potential/damping.h"
#include "sinew/potential/friction_rounds.h"
#include "sinew/potential/pressure.h"
#include "sinew/potential/springs.h"
#include "sinew/reduced/reduced_contact.h"

namespace sinew {

namespace {

// Adds to target(name of the term) what it has in
//   g = M U (y - y~) + scale (-f + grad Psi + grad springs + grad p V + grad D + grad contact).
template <class Target>
void add_terms(const CondensedStep& at, const ElasticEnergy& all_tets, Target&& target) {
  const System& s = at.system;
  const SpaceStep& step = at.step;
  const Index n = s.dynamic_count;
  Points moved, force;
  if (step.inertia) {
    Points& g = target("inertia");
    at.space.lift_motion(at.y, at.y - step.predictor, moved);
    for (Index i = 0; i < n; ++i) g.col(i) += s.mass[i] * moved.col(i);
  }
  external_force(s, step.time, step.load_factor, force);
  target("load") -= step.scale * force;
  all_tets.add_gradient(at.x, step.scale, target("elastic"));
  SpringEnergy springs(s);
  springs.set_time(step.time);
  springs.add_gradient(at.x, step.scale, target("springs"));
  const auto placed = [&](const MatX& y, Points& x) {
    x = s.rest;
    at.space.lift(y, moved);
    x.leftCols(n) += moved;
  };
  PressureEnergy pressure(s);
  if (!pressure.empty()) {
    Points start;
    placed(at.start, start);
    pressure.set_loads(start, step.time, step.load_factor);
    const FrictionRounds rounds = friction_rounds(s);
    if (rounds.most > 1 && !rounds.automatic) pressure.lag(at.x);
    pressure.add_gradient(at.x, step.scale, target("pressure"));
  }
  // Damping refers to the lifted start and reference of the step.
  if (step.inertia && has_damping(s)) {
    StepContext context;
    context.reference_step = step.reference_step;
    placed(at.start, context.start);
    placed(step.reference, context.reference);
    std::vector<std::pair<Index, Index>> pairs;
    all_tets.collect_pairs(pairs);
    DampingEnergy damping(s, &all_tets, make_pattern(n, pairs));
    damping.begin_step(context);
    damping.add_gradient(at.x, step.scale, target("damping"));
  }
  Points& barrier = target("contact");
  Points& friction = target("friction");
  if (ReducedContact* contact = at.space.contact())
    contact->add_full_gradient(step.contact_factor * step.scale, barrier, friction);
}

}  // namespace

Points full_space_gradient(const CondensedStep& at, const ElasticEnergy& all_tets) {
  Points g = Points::Zero(3, at.system.dynamic_count);
  add_terms(at, all_tets, [&](const char*) -> Points& { return g; });
  return g;
}

std::vector<TermForce> full_space_forces(const CondensedStep& at, const ElasticEnergy& all_tets) {
  std::vector<TermForce> forces;
  forces.reserve(8);  // terms, to which references are held
  add_terms(at, all_tets, [&](const char* term) -> Points& {
    forces.push_back({term, Points::Zero(3, at.system.dynamic_count)});
    return forces.back().force;
  });
  for (TermForce& term : forces) term.force /= -at.step.scale;
  return forces;
}

// The acceleration |M^-1 g|_M / (sqrt(m) scale) that the free part of g would cause, with m the total mass, and that of
// its component in the span of U, which the solver makes vanish.
FullGradient measure_full_gradient(const CondensedStep& at, const ElasticEnergy& all_tets) {
  const System& s = at.system;
  Points g = full_space_gradient(at, all_tets);
  for (const PrescribedVertex& prescribed : s.prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k] && prescribed.holds_at(at.step.time)) g(k, prescribed.vertex) = 0;

  double mass = 0, square = 0;
  for (Index i = 0; i < s.dynamic_count; ++i) {
    mass += s.mass[i];
    square += g.col(i).squaredNorm() / s.mass[i];
  }
  return {std::sqrt(square / mass) / at.step.scale,
          std::sqrt(at.space.inverse_mass_square(at.y, at.space.restrict_to(at.y, g)) / mass) / at.step.scale,
          s.elastic_tet_count() > 0 ? all_tets.min_jacobian(at.x) : 1};
}

}  // namespace sinew
