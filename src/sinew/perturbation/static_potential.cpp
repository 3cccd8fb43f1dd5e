#include "sinew/perturbation/static_potential.h"

#include <algorithm>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/kinematics/tied_hessian.h"
#include "sinew/potential/follower_stiffness.h"

namespace sinew {
namespace {

// The slip below which contacts stick, over the contact distance. Contacts that stick then yield less along the surface
// than a closed gap does across it.
constexpr double slip_share = 1e-2;

}  // namespace

std::shared_ptr<const System> static_system(const System& system, ContactTangent contact) {
  for (const SystemBody& body : system.bodies)
    if (body.has_skeleton)
      fail_input(code::modes,
                 "body '{}': found a skeleton, expected a body that moves freely; linear analyses do not support "
                 "skeletons. Remove its key skeleton",
                 body.name);
  for (const FaceLoad& load : system.loads)
    if (load.kind == LoadKind::wind)
      fail_input(code::modes,
                 "body '{}': found a wind among its loads, which linear analyses do not support; remove it, or use a "
                 "pressure",
                 system.bodies[load.body].name);
  auto result = std::make_shared<System>(system);
  TimeSetup& time = result->setup.time;
  if (time.integrator != Integrator::statics) {
    time.integrator = Integrator::statics;
    time.ramp = false;
  }
  if (contact == ContactTangent::open) result->setup.contact.enabled = false;
  if (contact == ContactTangent::tied) std::ranges::fill(result->collision.friction, 1.0);
  if (contact == ContactTangent::sliding) std::ranges::fill(result->collision.friction, 0.0);
  if (result->contact_distance > 0) result->setup.contact.slip_speed = slip_share * result->contact_distance;
  return result;
}

// Friction is lagged at the state, from which slip is measured: its Hessian is that of contacts that stick.
StaticPotential::StaticPotential(std::shared_ptr<const System> system, const State& state, double time)
    : potential_(system) {
  prepare_step(*system, state, time, system->setup.time.step, context_);
  potential_.begin_step(context_, state.contact_stiffness);
}

Points StaticPotential::gradient(const Points& x) const {
  Points g;
  potential_.gradient(x, g);
  return g;
}

void StaticPotential::add_lagged_part(const Points& x, SymBlockMatrix& H) const {
  SymBlockMatrix border(H.shared_pattern());
  add_border_stiffness(potential_.system(), context_, x, border);
  TiedHessian().condense(context_.ties, border);
  H.add(border);
}

SymBlockMatrix StaticPotential::hessian(const Points& x) {
  HessianParts parts;
  parts.projection = Projection::none;
  Points unused;
  SymBlockMatrix H;
  potential_.derivatives(x, parts, unused, H);
  add_lagged_part(x, H);
  return H;
}

SymBlockMatrix StaticPotential::hessian_with_projected_contacts(const Points& x) {
  HessianParts parts;
  SymBlockMatrix exact, projected, sum, bodies;
  Points unused;
  parts.projection = Projection::none;
  parts.bodies = &exact;
  potential_.derivatives(x, parts, unused, sum);
  parts.projection = Projection::psd;
  parts.bodies = &bodies;
  potential_.derivatives(x, parts, unused, projected);
  bodies.take_ranks();  // those of `projected` are exact
  exact.take_ranks();
  bodies.scale(-1);
  projected.add(bodies);
  projected.add(exact);
  add_lagged_part(x, projected);
  return projected;
}

}  // namespace sinew
