// Wind: forces on faces, derivatives, and turbulence without divergence.
#include "sinew/potential/wind.h"

#include <random>

#include "support/bodies.h"
#include "support/derivatives.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"

namespace sinew::wind_test {
namespace {

LoadSetup blowing(const Triangles& faces, const Vec3& velocity, double intensity = 0) {
  LoadSetup load;
  load.kind = LoadKind::wind;
  load.wind.drag = 1.3 * 1.1;
  load.wind.friction = 1.3 * 0.3;
  load.wind.intensity = intensity;
  load.vector = velocity;
  load.faces = faces;
  return load;
}

std::shared_ptr<const System> sheet(const Vec3& velocity, double intensity = 0) {
  sinew::Setup setup;
  setup.bodies.push_back(test::cloth("sheet", make_sheet({0.4, 0.5}, {3, 4}), test::springs(1e5, 500, 1e-3)));
  setup.bodies[0].loads = {blowing(setup.bodies[0].mesh.triangles, velocity, intensity)};
  return build_system(std::move(setup));
}

std::shared_ptr<const System> cube(const Vec3& velocity) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Constant(0.2), {2, 2, 2}), test::material("neo_hookean", 1e5, 0.4)));
  setup.bodies[0].loads = {blowing(boundary_triangles(setup.bodies[0].mesh.tets), velocity)};
  return build_system(std::move(setup));
}

Points shaken(const System& system, double amount) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-amount, amount);
  Points x = system.rest;
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += uniform(random);
  return x;
}

Vec3 total_force(const System& system, const Vec3& velocity) {
  const StepContext context = test::resting_context(system);
  WindEnergy energy(system);
  energy.begin_step(context);
  Points g = Points::Zero(3, system.rest.cols());
  energy.add_gradient(system.rest.colwise() + velocity * context.reference_step, 1, g);
  return -g.rowwise().sum();
}

TEST(Wind, DerivativesMatchDifferences) {
  for (const auto& system : {sheet(Vec3(3, 4, -2), 1), cube(Vec3(3, 4, -2))}) {
    WindEnergy energy(*system);
    const StepContext context = test::resting_context(*system);
    energy.begin_step(context);
    const Points x = shaken(*system, 0.01);
    test::expect_derivatives(energy, x, 1e-6);
    test::expect_semidefinite(energy, x);
  }
}

// rho A / 2 c u^2, across and along a plate, whichever side the air comes from; it depends on u = w - v alone.
TEST(Wind, PlateHasTheDragOfItsFlow) {
  const double half = 1.3 * 0.2 / 2;
  EXPECT_LT((total_force(*sheet(Vec3(0, 3, 0)), Vec3::Zero()) - Vec3(0, half * 1.1 * 9, 0)).norm(), 1e-12);
  EXPECT_LT((total_force(*sheet(Vec3(0, -3, 0)), Vec3::Zero()) + Vec3(0, half * 1.1 * 9, 0)).norm(), 1e-12);
  EXPECT_LT((total_force(*sheet(Vec3(3, 4, 0)), Vec3::Zero()) - half * Vec3(0.3 * 9, 1.1 * 16, 0)).norm(), 1e-12);
  EXPECT_LT((total_force(*sheet(Vec3(1, 1, 0)), Vec3(-2, -3, 0)) - half * Vec3(0.3 * 9, 1.1 * 16, 0)).norm(), 1e-10);
  EXPECT_LT(total_force(*sheet(Vec3(1, 2, 3)), Vec3(1, 2, 3)).norm(), 1e-20);
}

// The air presses on the front of a cube and rubs on four sides and its back.
TEST(Wind, ClosedBodiesMeetItFromOutside) {
  const double half = 1.3 * 0.04 / 2;
  EXPECT_LT((total_force(*cube(Vec3(0, 0, 5)), Vec3::Zero()) - Vec3(0, 0, half * 25 * (1.1 + 4 * 0.3))).norm(), 1e-12);
}

TEST(Wind, WithoutInertiaThereIsNone) {
  const auto system = sheet(Vec3(0, 3, 0));
  StepContext context = test::resting_context(*system);
  context.inertia = false;
  WindEnergy energy(*system);
  energy.begin_step(context);
  EXPECT_TRUE(energy.empty());
  EXPECT_EQ(energy.value(system->rest), 0);
}

TEST(Turbulence, HasNoDivergenceAndTheGivenIntensity) {
  WindSetup wind;
  wind.intensity = 2;
  wind.length = 0.5;
  wind.time = 0.1;
  const Turbulence field(wind), again(wind);
  wind.seed = 1;
  const Turbulence other(wind);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-500, 500);
  const double h = 1e-5;
  Vec3 mean = Vec3::Zero(), square = Vec3::Zero();
  const int count = 20000;
  for (int i = 0; i < count; ++i) {
    const Vec3 x(uniform(random), uniform(random), uniform(random));
    const Vec3 w = field.at(x, 0.3);
    mean += w / count;
    square += w.cwiseAbs2() / count;
    if (i > 20) continue;
    double divergence = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = (field.at(x + h * Vec3::Unit(k), 0.3) - field.at(x - h * Vec3::Unit(k), 0.3)) / (2 * h);
      divergence += d[k];
      size = std::max(size, d.norm());
    }
    EXPECT_LT(std::abs(divergence), 1e-6 * size);
    EXPECT_EQ(again.at(x, 0.3), w);
    EXPECT_NE(other.at(x, 0.3), w);
  }
  EXPECT_LT(mean.norm(), 0.1);
  EXPECT_NEAR(square.sum(), 3 * 4, 0.3);  // in each direction it differs by the few modes
  const Vec3 now = field.at(Vec3(1, 2, 3), 0.3), soon = field.at(Vec3(1, 2, 3), 0.301);
  EXPECT_LT((soon - now).norm(), 0.3);
  EXPECT_GT((field.at(Vec3(1, 2, 3), 0.9) - now).norm(), 0.3);
}

}  // namespace
}  // namespace sinew::wind_test
