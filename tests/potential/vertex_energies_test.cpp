// Energies around vertices: when one vertex moves, those around it change as the whole potential does.
#include <random>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

// Two cubes in contact and pressed on the floor, with friction, springs and a pressure.
std::shared_ptr<const System> scene(ContactKind contact) {
  sinew::Setup setup;
  setup.contact.model = contact;
  setup.contact.distance = 4e-3;
  setup.contact.stiffness = 1e5;
  setup.contact.friction = 0.3;
  const TetMesh cube = make_box(Vec3::Constant(0.1), {2, 2, 2});
  setup.bodies.push_back(test::body("lower", cube, test::material("neo_hookean", 1e5, 0.4), Vec3(0, 0.052, 0)));
  setup.bodies.push_back(test::body("upper", cube, test::material("corotated", 1e5, 0.3), Vec3(0.02, 0.1545, 0.01)));
  setup.bodies[0].springs.push_back({.vertices = {0, 3}, .point = Vec3(0.2, 0.1, 0), .stiffness = 30});
  setup.bodies[1].springs.push_back({.vertices = {1}, .other_body = 0, .other_vertices = {8, 9}, .stiffness = 50});
  LoadSetup load;
  load.kind = LoadKind::pressure;
  load.faces = boundary_triangles(setup.bodies[1].mesh.tets);
  load.pressure = 1e3;
  setup.bodies[1].loads.push_back(load);
  setup.obstacles.push_back(test::floor_plane());
  return build_system(std::move(setup));
}

class VertexEnergies : public testing::TestWithParam<std::tuple<ContactKind, bool>> {};

TEST_P(VertexEnergies, ChangeAsTheWholeWhenOneVertexMoves) {
  const auto system = scene(std::get<0>(GetParam()));
  StepContext context = test::resting_context(*system);
  context.inertia = std::get<1>(GetParam());
  context.dead_force = Points::Random(3, system->dynamic_count);
  context.predictor.row(1).array() -= 1e-3;
  std::vector<PlaneState> planes;
  for (const PlaneSetup& plane : system->planes) planes.push_back({plane.point, plane.normal});
  context.plane_start = context.plane_reference = context.plane_end = planes;
  IncrementalPotential potential(system);
  potential.begin_step(context, system->contact_stiffness);
  Points x = system->rest;
  potential.set_contacts(x, planes);
  ASSERT_FALSE(potential.contact().contacts().empty());
  ASSERT_TRUE(potential.contact().has_friction());
  const double before = potential.value(x).total();
  std::vector<double> around(system->dynamic_count), after(system->dynamic_count);
  potential.vertex_energies(x, around);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1e-4, 1e-4);
  for (Index v = 0; v < system->dynamic_count; ++v) {
    Points moved = x;
    for (int k = 0; k < 3; ++k) moved(k, v) += uniform(random);
    const PotentialValue E = potential.value(moved);
    potential.vertex_energies(moved, after);
    EXPECT_NEAR(after[v] - around[v], E.total() - before, 1e-12 * E.magnitude()) << "vertex " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Contacts, VertexEnergies,
                         testing::Combine(testing::Values(ContactKind::barrier, ContactKind::penalty),
                                          testing::Bool()));

}  // namespace
}  // namespace sinew
