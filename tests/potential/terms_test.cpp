// Springs, pressure and damping: derivatives against finite differences, and what they must conserve.
#include <cmath>
#include <random>

#include "support/bodies.h"
#include "support/derivatives.h"
#include <gtest/gtest.h>

#include "sinew/linalg/block_matrix.h"
#include "sinew/mesh/surface.h"
#include "sinew/potential/damping.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/potential/pressure.h"
#include "sinew/potential/springs.h"

namespace sinew {
namespace {

std::shared_ptr<const System> cube_with(const std::function<void(BodySetup&)>& change) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Constant(0.1), {2, 2, 2}), test::material("neo_hookean", 1e5, 0.4)));
  change(setup.bodies[0]);
  return build_system(std::move(setup));
}

Points jittered(const System& system, double amount) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-amount, amount);
  Points x = system.rest;
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += uniform(random);
  return x;
}

TEST(Springs, DerivativesMatchDifferences) {
  for (const double length : {0.0, 0.02}) {
    const auto system = cube_with([&](BodySetup& body) {
      body.springs.push_back({.vertices = {0, 3, 5}, .point = Vec3(0.2, 0.1, 0), .stiffness = 30, .length = length});
      body.springs.push_back(
          {.vertices = {1}, .other_body = 0, .other_vertices = {8, 9, 10}, .stiffness = 50, .length = length});
      body.springs.push_back({.vertices = {2, 4},
                              .ends = {{0, {20, 21, 22}, {0.5, 0.2, 0.3}}, {0, {13}, {1.0}}},
                              .stiffness = 40,
                              .length = length});
    });
    SpringEnergy energy(*system);
    energy.set_time(0);
    test::expect_derivatives(energy, jittered(*system, 0.01), 1e-4);
  }
}

TEST(Springs, ReleaseAtTheGivenTime) {
  const auto system = cube_with([&](BodySetup& body) {
    body.springs.push_back({.vertices = {0}, .point = Vec3(1, 0, 0), .stiffness = 30, .until = 0.5});
  });
  SpringEnergy energy(*system);
  energy.set_time(0.5);
  EXPECT_GT(energy.value(system->rest), 0);
  energy.set_time(0.6);
  EXPECT_EQ(energy.value(system->rest), 0);
}

LoadSetup pressure_on(const Triangles& faces, double pressure) {
  LoadSetup load;
  load.kind = LoadKind::pressure;
  load.faces = faces;
  load.pressure = pressure;
  return load;
}

TEST(Pressure, ClosedSurfaceDerivativesMatchDifferences) {
  const auto system =
      cube_with([](BodySetup& body) { body.loads.push_back(pressure_on(boundary_triangles(body.mesh.tets), 1e4)); });
  PressureEnergy energy(*system);
  EXPECT_FALSE(energy.lags());
  energy.set_loads(system->rest, 0, 1);
  test::expect_derivatives(energy, jittered(*system, 0.01), 1e-4);
}

TEST(Pressure, ForceOnEachFaceIsPressureTimesAreaAlongTheNormal) {
  Triangles top;
  const auto system = cube_with([&](BodySetup& body) {
    const Triangles all = boundary_triangles(body.mesh.tets);
    std::vector<Index> ids;
    for (Index f = 0; f < all.cols(); ++f) {
      bool on_top = true;
      for (int k = 0; k < 3; ++k) on_top &= body.mesh.vertices(1, all(k, f)) > 0.049;
      if (on_top) ids.insert(ids.end(), {all(0, f), all(1, f), all(2, f)});
    }
    top = Eigen::Map<Triangles>(ids.data(), 3, static_cast<Index>(ids.size() / 3));
    body.loads.push_back(pressure_on(top, 1e4));
  });
  PressureEnergy energy(*system);
  EXPECT_TRUE(energy.lags());
  // Turned a quarter about z: the pressure must follow the faces.
  Points x = system->rest;
  for (Index i = 0; i < x.cols(); ++i) x.col(i) = Vec3(-system->rest(1, i), system->rest(0, i), system->rest(2, i));
  energy.set_loads(x, 0, 1);
  Points g = Points::Zero(3, system->dynamic_count);
  energy.add_gradient(x, 1, g);
  const Vec3 force = -g.rowwise().sum();
  // The top face's outward normal is now -x; pressure pushes inwards, +x. Area 0.01 m^2.
  EXPECT_NEAR(force.x(), 1e4 * 0.01, 1e-10);
  EXPECT_NEAR(force.y(), 0, 1e-10);
  EXPECT_NEAR(force.z(), 0, 1e-10);
}

TEST(Damping, DerivativesMatchDifferencesAndRigidMotionIsNotStiffnessDamped) {
  const auto system = cube_with([](BodySetup& body) {
    body.damping_mass = 0.3;
    body.damping_stiffness = 0.02;
  });
  ElasticEnergy elastic(*system);
  std::vector<std::pair<Index, Index>> pairs;
  elastic.collect_pairs(pairs);
  const auto pattern = make_pattern(system->dynamic_count, pairs);
  StepContext context;
  context.start = jittered(*system, 0.003);
  context.reference = context.start;
  context.step = context.reference_step = 0.01;
  DampingEnergy energy(*system, &elastic, pattern);
  energy.begin_step(context);
  test::expect_derivatives(energy, jittered(*system, 0.01), 1e-4, pattern);
}

TEST(Damping, StaticStepsHaveNone) {
  const auto system = cube_with([](BodySetup& body) { body.damping_mass = body.damping_stiffness = 0.3; });
  IncrementalPotential potential(system);
  StepContext context = test::resting_context(*system);
  context.inertia = false;
  context.dead_force.setZero(3, system->dynamic_count);
  potential.begin_step(context, 0);
  for (const TermForce& force : potential.forces_by_term(jittered(*system, 0.01))) EXPECT_NE(force.term, "damping");
}

}  // namespace
}  // namespace sinew
