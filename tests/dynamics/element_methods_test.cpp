// Bodies of all kinds of elements in contact, heated, viscous or plastic: each method agrees with newton or refuses
// them by name.
#include <algorithm>

#include "support/bodies.h"
#include "support/run.h"
#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/methods.h"
#include "sinew/material/hencky_plastic.h"
#include "sinew/mesh/quadratic_tets.h"

namespace sinew {
namespace {

// What its material has: temperature, viscosity or plasticity.
MaterialAssignment material_with(const std::string& what, const std::string& name) {
  if (what != "plasticity") {
    MaterialAssignment rubber = test::material("neo_hookean", 5e4, 0.45, 1000, name);
    if (what == "temperature") rubber.expansion = {1e-3};
    if (what == "viscosity") rubber.viscosity = {{0.02, 1.0}, {0.5, 0.5}};
    return rubber;
  }
  MaterialAssignment clay = test::material("hencky", 5e4, 0.4, 1000, name);
  Plasticity law;
  law.yield_stress = 1.5e3;
  law.hardening = law.kinematic = 5e3;
  clay.model = std::make_shared<const HenckyPlastic>(law);
  clay.parameters = clay.model->resolve({{"young", {5e4}}, {"poisson", {0.4}}});
  return clay;
}

// Four cubes that fall on each other and on the floor, with friction and damping. Each kind of elements has one.
sinew::Setup pile(const std::string& method, const std::string& what = "temperature") {
  sinew::Setup setup;
  setup.time.step = 0.001;  // in large steps contact of soft corners has several minima (scripts/contact_minima)
  setup.solver.method = method;
  setup.solver.tolerance = 1e-5;
  setup.solver.iterations = 0;
  setup.solver.handles = 24;
  setup.solver.multilevel.cache = false;
  setup.contact.distance = 2e-3;
  setup.contact.friction = 0.3;
  for (int kind = 0; kind < 4; ++kind) {
    BodySetup body = test::body("cube" + std::to_string(kind), make_box(Vec3(0.1, 0.1, 0.1), {2, 2, 2}),
                                material_with(what, "m" + std::to_string(kind)), Vec3::Zero());
    const Mat3 turn = Eigen::AngleAxisd(0.3 + 0.4 * kind, Vec3(1, 0.3 * kind, 0.5).normalized()).toRotationMatrix();
    const Vec3 at(0.02 * (kind % 2), 0.09 + 0.175 * kind, 0.01 * kind);
    body.mesh.vertices = (turn * body.mesh.vertices).colwise() + at;
    body.elements = static_cast<Elements>(kind);
    if (is_quadratic(body.elements)) make_quadratic(body.mesh);
    body.velocity = Vec3(0, -2 - 2 * kind, 0);
    body.damping_stiffness = 1e-3;
    if (what == "temperature") body.heat = {test::heat(0, {{0, 0.1}, (MatX(1, 2) << 0, 50).finished()})};
    setup.bodies.push_back(std::move(body));
  }
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

constexpr int pile_steps = 30;

Points after(const std::string& method, const std::string& what) {
  sinew::Setup setup = pile(method, what);
  setup.contact.friction_tolerance = 1e-3;
  setup.solver.max_iterations = 5000;  // of quasi_newton
  Simulation simulation(build_system(std::move(setup)));
  for (int s = 0; s < pile_steps; ++s) test::checked_step(simulation);
  return simulation.state().x;
}

class ElementMethodsWith : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Materials, ElementMethodsWith, testing::Values("temperature", "viscosity", "plasticity"),
                         [](const auto& info) { return info.param; });

TEST_P(ElementMethodsWith, AgreeWithNewtonOrRefuse) {
  const Points right = after("newton", GetParam());
  const double moved = (right - build_system(pile("newton"))->rest).colwise().norm().maxCoeff();
  for (const Method& method : methods()) {
    const std::string name(method.name);
    if (method.all_elements) {
      EXPECT_LT((after(name, GetParam()) - right).colwise().norm().maxCoeff(), 2e-3 * moved) << name;
      continue;
    }
    try {
      Simulation simulation(build_system(pile(name, GetParam())));
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("does not take the " + GetParam() + " of body 'cube0'")) << name;
    }
    try {
      Simulation simulation(build_system(pile(name, "none")));
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("does not take body 'cube1', whose elements are \"linear_mixed\""))
          << name;
    }
  }
}

TEST(ElementMethods, QuasiNewtonAgreesWithoutContact) {
  std::vector<Points> ends;
  for (const char* method : {"newton", "quasi_newton"}) {
    sinew::Setup setup = pile(method);
    setup.contact.enabled = false;
    setup.obstacles.clear();
    for (BodySetup& body : setup.bodies) {
      FixSetup fix;
      fix.vertices = test::select_vertices(
          body.mesh, [&](const Vec3& v) { return v.x() < body.mesh.vertices.row(0).minCoeff() + 1e-9; });
      body.fixes.push_back(std::move(fix));
    }
    Simulation simulation(build_system(std::move(setup)));
    for (int s = 0; s < 3; ++s) test::checked_step(simulation);
    ends.push_back(simulation.state().x);
  }
  const double moved = (ends[0] - build_system(pile("newton"))->rest).colwise().norm().maxCoeff();
  EXPECT_LT((ends[1] - ends[0]).colwise().norm().maxCoeff(), 2e-3 * moved);
}

// Bodies that fly far in a step deform little: the energy of stiffness damping is a difference of large products. Once
// its rounding hid every decrease, and steps were divided.
TEST(ElementMethods, FastDampedBodiesTakeFewIterations) {
  for (const char* method : {"newton", "newton-pcg", "newton-multilevel", "multilevel", "quasi_newton"}) {
    sinew::Setup setup = pile(method, "none");
    setup.time.step = 0.002;
    for (BodySetup& body : setup.bodies) {
      body.elements = Elements::linear;
      body.mesh.quadratic.resize(10, 0);
      body.velocity *= 4;
    }
    setup.solver.tolerance = 1e-8;
    setup.contact.enabled = false;
    setup.obstacles.clear();
    Simulation simulation(build_system(std::move(setup)));
    for (int s = 0; s < 3; ++s) {
      const StepReport report = test::checked_step(simulation);
      EXPECT_EQ(report.substeps, 1) << method;
      EXPECT_LE(report.newton_iterations, 10) << method;
    }
  }
}

TEST(ElementMethods, CubatureOfThePrintedMultilevelIsRefused) {
  sinew::Setup setup = pile("multilevel");
  setup.solver.multilevel.printed.emplace();
  try {
    Simulation simulation(build_system(std::move(setup)));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("its cubature has no rule for body 'cube1'"));
  }
}

TEST_P(ElementMethodsWith, ThreadsDoNotChangeBits) {
  std::vector<Points> ends;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    ends.push_back(after("newton", GetParam()));
  }
  EXPECT_TRUE(ends[0] == ends[1] && ends[0] == ends[2]);
}

TEST_P(ElementMethodsWith, RunsThatAreTakenUpAgainHaveTheSameBits) {
  Simulation whole(build_system(pile("multilevel", GetParam()))), first(build_system(pile("multilevel", GetParam())));
  for (int s = 0; s < pile_steps; ++s) whole.step();
  for (int s = 0; s < pile_steps / 2; ++s) first.step();
  ArchiveWriter archive("unused", "checkpoint");
  first.save(archive);
  Simulation second(build_system(pile("multilevel", GetParam())));
  second.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "file.h5"));
  for (int s = pile_steps / 2; s < pile_steps; ++s) second.step();
  EXPECT_TRUE(second.state().x == whole.state().x);
}

}  // namespace
}  // namespace sinew
