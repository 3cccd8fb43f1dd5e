#include "sinew/model/external_force.h"

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

void add_surface_loads(const System& system, double time, double ramp, Points& force) {
  for (const FaceLoad& load : system.loads) {
    if (load.kind == LoadKind::pressure) continue;
    const Vec3 vector = load.traction(time, ramp);
    for (Index f = 0; f < load.faces.cols(); ++f)
      for (int k = 0; k < 3; ++k) force.col(load.faces(k, f)) += load.face_area[f] / 3 * vector;
  }
}

}  // namespace

void external_force(const System& system, double time, double ramp, Points& force) {
  std::vector<Vec3> acceleration;
  for (const SystemBody& body : system.bodies) {
    const bool keyed = !body.acceleration_keys.empty();
    acceleration.push_back(ramp * system.setup.gravity +
                           (keyed ? Vec3(body.acceleration_keys.at(time)) : Vec3(ramp * body.acceleration)));
  }
  force.resize(3, system.dynamic_count);
  parallel_for(
      system.dynamic_count, [&](std::size_t i) { force.col(i) = system.mass[i] * acceleration[system.vertex_body[i]]; },
      4096);
  add_surface_loads(system, time, ramp, force);
}

}  // namespace sinew
