#include "sinew/potential/vertex_energy.h"

#include "sinew/core/parallel.h"
#include "sinew/kinematics/vertex_hessian.h"
#include "sinew/model/external_force.h"
#include "sinew/model/rotating_frame.h"
#include "sinew/potential/inertia.h"

namespace sinew {

// Until a step begins there is no force but that of springs.
VertexEnergy::VertexEnergy(const System& system, double time)
    : system_(system), potential_(system, {.elastic = false, .contact = false}), x_(system.rest) {
  context_.inertia = false;
  context_.time_end = time;
  context_.start = context_.reference = system.rest;
  context_.dead_force.setZero(3, system.dynamic_count);
  potential_.begin_step(context_, 0);
}

// x = X + y, 3 x n_all; obstacles, which no term here sees, stay where they are at rest.
const Points& VertexEnergy::positions(const MatX& y) const {
  parallel_for(
      y.rows(), [&](std::size_t v) { x_.col(v) = system_.rest.col(v) + Vec3(y.row(v)); }, 4096);
  return x_;
}

// The context of full space from that of coordinates: x = X + y for each.
void VertexEnergy::begin_step(const CoordinateStep& step, const MatX& start) {
  static_cast<StepScalars&>(context_) = step;
  context_.start = positions(start);
  context_.reference = positions(step.reference);
  context_.predictor = positions(step.predictor).leftCols(system_.dynamic_count);
  context_.spin_across = step.spin_across.transpose();
  context_.spin_along = step.spin_along.transpose();
  add_spin_to_predictor(system_, true, context_);
  add_external_force(system_, context_);
  potential_.begin_step(context_, 0);
}

// All terms of full space but elasticity and contact, as one energy of y = x - X.
void VertexEnergy::add_gradient(const MatX& y, MatX& G) {
  potential_.gradient(positions(y), g_);
  G += g_.transpose();
}

// H over the pattern of the terms; VertexHessian joins it with that of elasticity and contact.
void VertexEnergy::add_hessian(const MatX& y, Projection projection, CoordinateHessian& H) {
  potential_.derivatives(positions(y), {.projection = projection}, g_, H_);
  in_layout<VertexHessian>(H).add(H_);
}

double VertexEnergy::kinetic(const MatX& v) const {
  return kinetic_energy(system_, v.transpose());
}

double VertexEnergy::gravity(const MatX& y) const {
  return gravity_energy(system_, positions(y));
}

double VertexEnergy::springs(const MatX& y) const {
  return potential_.value(positions(y))[EnergyKind::springs] / context_.scale;
}

}  // namespace sinew
