#include "sinew/dynamics/full_space_gradient.h"

#include <cmath>

#include "sinew/model/external_force.h"
#include "sinew/model/rotating_frame.h"
#include "sinew/potential/friction_rounds.h"

namespace sinew {

// The predictor is lifted so that inertia is that of the motion from it to y: on a curved set of positions it is none.
void FullSpaceGradient::begin_step(const ReducedStep& at) {
  Points moved;
  const auto place = [&](const MatX& y, Points& x) {
    x = system_.rest;
    at.kinematics.lift(y, moved);
    x.leftCols(moved.cols()) += moved;
  };
  place(at.start, context_.start);
  if (at.step.reference == at.start)  // as for implicit Euler
    context_.reference = context_.start;
  else
    place(at.step.reference, context_.reference);
  at.kinematics.lift_motion(at.y, at.y - at.step.predictor, moved);
  context_.predictor = at.x.leftCols(moved.cols()) - moved;
  static_cast<StepScalars&>(context_) = at.step;
  const auto lift_spin = [&](const MatX& y, Points& columns) {
    columns.resize(3, 0);
    if (y.size() > 0) at.kinematics.lift_motion(at.y, y, columns);
  };
  lift_spin(at.step.spin_across, context_.spin_across);
  lift_spin(at.step.spin_along, context_.spin_along);
  add_spin_to_predictor(system_, true, context_);
  add_external_force(system_, context_);
  potential_.begin_step(context_, 0);
  const FrictionRounds rounds = friction_rounds(system_);
  if (rounds.most > 1 && !rounds.automatic) potential_.update_lagged(at.x);
}

Points FullSpaceGradient::gradient(const ReducedStep& at) {
  begin_step(at);
  Points g;
  potential_.gradient(at.x, g);
  if (at.contact) at.contact->add_full_gradient(context_.contact_scale(), g, g);
  return g;
}

std::vector<TermForce> FullSpaceGradient::forces(const ReducedStep& at) {
  begin_step(at);
  std::vector<TermForce> forces = potential_.forces_by_term(at.x);
  if (at.contact) {
    Points normal = Points::Zero(3, system_.dynamic_count), friction = normal;
    at.contact->add_full_gradient(-context_.contact_factor, normal, friction);
    forces.push_back({"contact", std::move(normal)});
    forces.push_back({"friction", std::move(friction)});
  }
  return forces;
}

// The acceleration |M^-1 g|_M / (sqrt(m) scale) that the free part of g would cause, with m the total mass, and that of
// its component in the span of U, which the solver makes vanish.
FullGradient FullSpaceGradient::measure(const ReducedStep& at) {
  const System& s = system_;
  Points g = gradient(at);
  for (const PrescribedVertex& prescribed : s.prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k] && prescribed.holds_at(at.step.time_end)) g(k, prescribed.vertex) = 0;

  double mass = 0, square = 0;
  for (Index i = 0; i < s.dynamic_count; ++i) {
    mass += s.mass[i];
    square += g.col(i).squaredNorm() / s.mass[i];
  }
  return {std::sqrt(square / mass) / at.step.scale,
          std::sqrt(at.kinematics.inverse_mass_square(at.y, at.kinematics.restrict_to(at.y, g)) / mass) / at.step.scale,
          s.elastic_tet_count() > 0 ? elastic().min_jacobian(at.x) : 1};
}

}  // namespace sinew
