#include "sinew/bench/bench_scenes.h"

#include "sinew/material/registry.h"
#include "sinew/mesh/primitives.h"

namespace sinew {
namespace {

BodySetup body(const char* name, TetMesh mesh, double young) {
  MaterialAssignment material;
  material.name = name;
  material.model = shared_material_model("neo_hookean");
  material.parameters = material.model->resolve({{"young", {young}}, {"poisson", {0.4}}});
  material.density = {1000.0};
  BodySetup setup;
  setup.name = name;
  setup.mesh = std::move(mesh);
  setup.materials = {std::move(material)};
  return setup;
}

}  // namespace

std::shared_ptr<const System> bench_body(TetMesh mesh) {
  Setup setup;
  setup.name = "body";
  setup.bodies.push_back(body("body", std::move(mesh), 1e6));
  return build_system(std::move(setup));
}

std::shared_ptr<const System> bench_cube(int cells) {
  return bench_body(make_box(Vec3::Ones(), {cells, cells, cells}));
}

std::shared_ptr<const System> bench_contact_pair(double size, const std::string& method) {
  constexpr double radius = 0.1, gap = 5e-4;
  Setup setup;
  setup.name = "ball on a block";
  setup.bodies.push_back(body("block", make_box(Vec3(0.3, 0.1, 0.3), size), 1e6));
  setup.bodies.push_back(body("ball", make_sphere(radius, size), 2e5));
  setup.bodies[1].mesh.vertices.row(1).array() += 0.05 + radius + gap;
  setup.bodies[1].velocity = Vec3(0.5, -1, 0);
  setup.obstacles.push_back({"ground", std::nullopt, PlaneSetup{Vec3(0, -0.05 - gap, 0), Vec3::UnitY()}, "", {}});
  setup.contact.distance = 1e-3;
  setup.contact.friction = 0.3;
  setup.solver.method = method;
  return build_system(std::move(setup));
}

}  // namespace sinew
