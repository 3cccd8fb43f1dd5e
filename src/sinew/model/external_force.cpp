#include "sinew/model/external_force.h"

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

void add_surface_loads(const System& system, double time, double ramp, Points& force) {
  for (const FaceLoad& load : system.loads) {
    if (!is_dead(load.kind)) continue;
    const Vec3 vector = load.traction(time, ramp);
    for (Index f = 0; f < load.faces.cols(); ++f) {
      for (int k = 0; k < 3; ++k) {
        const double area = load.corner_area(k, f);
        system.embedding.for_each(load.faces(k, f), [&](Index v, double w) { force.col(v) += w * area * vector; });
      }
    }
  }
}

}  // namespace

double interference_factor(const System& system, Index body, double time) {
  if (system.interference_steps.empty()) return 0;
  const TimeSetup& setup = system.setup.time;
  const double step = setup.integrator == Integrator::statics ? time * setup.steps : time / setup.step;
  const int over = system.interference_steps[body];
  return over > step ? 1 - step / over : 0;
}

Vec3 acceleration(const System& system, const SystemBody& body, double time, double ramp) {
  if (body.has_skeleton) return Vec3::Zero();  // its weight turns with the bones (reduced/warped_loads.h)
  const bool keyed = !body.acceleration_keys.empty();
  return ramp * system.setup.gravity + (keyed ? Vec3(body.acceleration_keys.at(time)) : Vec3(ramp * body.acceleration));
}

VecX vertex_areas(const System& system, const FaceLoad& load) {
  const Embedding& embedding = system.embedding;
  VecX area = VecX::Zero(system.dynamic_count);
  for (Index f = 0; f < load.faces.cols(); ++f)
    for (int k = 0; k < 3; ++k)
      embedding.for_each(load.faces(k, f), [&](Index v, double w) { area[v] += w * load.corner_area(k, f); });
  return area;
}

void external_force(const System& system, double time, double ramp, Points& force) {
  std::vector<Vec3> of_body;
  for (const SystemBody& body : system.bodies) of_body.push_back(acceleration(system, body, time, ramp));
  force.resize(3, system.dynamic_count);
  parallel_for(
      system.dynamic_count, [&](std::size_t i) { force.col(i) = system.mass[i] * of_body[system.vertex_body[i]]; },
      4096);
  add_surface_loads(system, time, ramp, force);
}

void add_external_force(const System& system, StepContext& context) {
  if (!context.inertia) return external_force(system, context.time_end, context.load_factor, context.dead_force);
  Points force;
  external_force(system, context.time_end, 1, force);
  parallel_for(
      system.dynamic_count,
      [&](std::size_t i) { context.predictor.col(i) += context.scale / system.mass[i] * force.col(i); }, 4096);
}

}  // namespace sinew
