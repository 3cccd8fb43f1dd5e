// From a Setup to a System.
#include "sinew/model/automatic_scales.h"
#include "sinew/model/build_parts.h"

namespace sinew {
namespace {

// What the System holds in its own numbering need not be kept twice.
void drop_bulk(Setup& setup) {
  for (BodySetup& body : setup.bodies) {
    body.mesh = TetMesh{};
    for (MaterialAssignment& material : body.materials) {
      MaterialAssignment kept;
      kept.name = std::move(material.name);
      kept.model = material.model;
      kept.mass_spring = material.mass_spring;
      material = std::move(kept);
    }
    body.fixes.clear();
    body.loads.clear();
    body.springs.clear();
  }
  for (ObstacleSetup& obstacle : setup.obstacles) obstacle.mesh.reset();
}

}  // namespace

std::shared_ptr<System> build_system(Setup setup) {
  check_setup(setup);
  auto system = std::make_shared<System>();
  const VertexMaps maps = number_vertices(setup, *system);
  build_elements(setup, maps, *system);
  build_edge_springs(setup, maps, *system);
  build_constraints(setup, maps, *system);
  build_velocities(setup, *system);
  build_collision(setup, maps, *system);
  build_contact_scales(setup, *system);
  drop_bulk(setup);
  system->setup = std::move(setup);
  find_contact_stiffness(*system);
  system->setup.contact.slip_speed = resolved_slip_speed(system->setup.contact, *system);
  system->setup.solver.tolerance = resolved_tolerance(system->setup.solver, *system);
  return system;
}

Points System::to_user(const Points& values, const Points* fill) const {
  Points out = fill ? *fill : Points(Points::Zero(3, user_vertex_count));
  for (Index i = 0; i < dynamic_count; ++i) out.col(vertex_to_user[i]) = values.col(i);
  return out;
}

Points System::from_user(const Points& values) const {
  Points out(3, dynamic_count);
  for (Index i = 0; i < dynamic_count; ++i) out.col(i) = values.col(vertex_to_user[i]);
  return out;
}

}  // namespace sinew
