// Copies of simulations and states in memory: both continue bit for bit, and an edit of one side stays there.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/primitives.h"
#include "sinew/model/edit.h"

namespace sinew {
namespace {

sinew::Setup dropped_block(const std::string& method) {
  sinew::Setup setup;
  BodySetup body;
  body.name = "block";
  body.mesh = make_box({0.2, 0.1, 0.1}, {4, 2, 2});
  MaterialAssignment rubber = test::material("stable_neo_hookean", 1e5, 0.4);
  rubber.name = "rubber";
  for (Index t = 0; t < body.mesh.tet_count(); ++t) rubber.tets.push_back(t);
  body.materials = {rubber};
  setup.bodies.push_back(body);
  ObstacleSetup plane;
  plane.name = "floor";
  plane.plane = PlaneSetup{Vec3(0, -0.055, 0), Vec3::UnitY()};
  setup.obstacles.push_back(plane);
  setup.contact.distance = 2e-3;
  setup.solver.method = method;
  setup.solver.handles = 4;
  return setup;
}

struct Original {
  std::shared_ptr<System> system;
  Simulation simulation;
  explicit Original(const std::string& method) : system(build_system(dropped_block(method))), simulation(system) {
    simulation.allow_changes(system);
    for (int step = 0; step < 4; ++step) simulation.step();
  }
};

std::vector<Points> next_steps(Simulation& simulation) {
  std::vector<Points> seen;
  for (int step = 0; step < 3; ++step) {
    simulation.step();
    seen.push_back(simulation.state().x);
    seen.push_back(simulation.state().v);
  }
  return seen;
}

class Copies : public testing::TestWithParam<const char*> {};

TEST_P(Copies, ContinueBitForBit) {
  Original original(GetParam());
  const std::unique_ptr<Simulation> copy = original.simulation.copy();
  EXPECT_EQ(&copy->system(), &original.simulation.system());  // shared
  EXPECT_EQ(next_steps(*copy), next_steps(original.simulation));
}

TEST_P(Copies, KeepTheirEdits) {
  Original original(GetParam());
  const std::unique_ptr<Simulation> edited = original.simulation.copy(), other = original.simulation.copy();
  edited->edit(ScalarEdit{"gravity", {0, 9.81, 0}});
  EXPECT_NE(&edited->system(), &original.simulation.system());
  EXPECT_EQ(other->system().setup.gravity[1], original.simulation.system().setup.gravity[1]);
  const std::vector<Points> expected = next_steps(original.simulation);
  EXPECT_EQ(next_steps(*other), expected);
  EXPECT_NE(next_steps(*edited), expected);
  original.simulation.edit(ScalarEdit{"gravity", {0, -1, 0}});
  EXPECT_EQ(other->system().setup.gravity[1], -9.81);
}

TEST_P(Copies, StatesComeBack) {
  Original original(GetParam());
  MemoryArchive memory;
  ArchiveWriter writer(memory);
  original.simulation.save_state(writer);
  const std::vector<Points> expected = next_steps(original.simulation);
  original.simulation.load_state(ArchiveReader(memory, "state"));
  EXPECT_EQ(next_steps(original.simulation), expected);
}

// The constant matrix is factored once for all copies, also if they step before the original, until one is edited.
TEST(SharedFactor, OfQuasiNewton) {
  auto system = build_system(dropped_block("quasi_newton"));
  Simulation simulation(system);
  simulation.allow_changes(system);
  const std::unique_ptr<Simulation> first = simulation.copy(), second = simulation.copy(), edited = simulation.copy();
  EXPECT_EQ(first->step().factorizations, 1);
  EXPECT_EQ(second->step().factorizations, 0);
  EXPECT_EQ(simulation.step().factorizations, 0);
  EXPECT_EQ(first->state().x, second->state().x);
  EXPECT_EQ(first->state().x, simulation.state().x);
  edited->edit(MaterialEdit{"rubber", {{"young", {2e5}}, {"poisson", {0.4}}}});
  EXPECT_EQ(edited->step().factorizations, 1);
  EXPECT_EQ(simulation.copy()->step().factorizations, 0);
  EXPECT_EQ(edited->copy()->step().factorizations, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, Copies,
                         testing::Values("newton", "newton-pcg", "newton-multilevel", "multilevel", "adaptive",
                                         "quasi_newton", "mixed", "reduced"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sinew
