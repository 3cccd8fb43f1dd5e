// From a Setup to a System.
#include "sinew/model/affine_body.h"
#include "sinew/model/automatic_scales.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/embedded_surface.h"

namespace sinew {
namespace {

// What the System holds in its own numbering need not be kept twice.
void drop_bulk(Setup& setup) {
  for (BodySetup& body : setup.bodies) {
    body.mesh = TetMesh{};
    body.follower.reset();
    body.follower_rows.clear();
    body.follower_materials.clear();
    body.collision.reset();
    body.collision_rows.clear();
    body.render.reset();
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
    body.bolts.clear();
  }
  for (ObstacleSetup& obstacle : setup.obstacles) obstacle.mesh.reset();
  setup.ties.clear();
  setup.sensors.clear();
}

}  // namespace

std::shared_ptr<System> build_system(Setup setup) {
  check_setup(setup);
  for (BodySetup& body : setup.bodies) {
    embed_render_surface(body);
    if (body.affine) make_affine(body);
    embed_collision_surface(body);
  }
  auto system = std::make_shared<System>();
  const VertexMaps maps = number_vertices(setup, *system);
  build_elements(setup, maps, *system);
  build_edge_springs(setup, maps, *system);
  build_constraints(setup, maps, *system);
  build_velocities(setup, *system);
  build_ties(setup, maps, *system);
  build_collision(setup, maps, *system);
  build_contact_scales(setup, *system);
  build_bolts(setup, *system);
  build_sensors(setup, maps, *system);
  drop_bulk(setup);
  system->setup = std::move(setup);
  find_contact_stiffness(*system);
  system->setup.contact.slip_speed = resolved_slip_speed(system->setup.contact, *system);
  system->setup.solver.tolerance = resolved_tolerance(system->setup.solver, *system);
  return system;
}

}  // namespace sinew
