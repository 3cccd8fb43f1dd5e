// Derivatives of E(P q), where vertices are tied, against finite differences.
#include "support/ties.h"

#include <random>

#include <gtest/gtest.h>

#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

TEST(TiedPotential, DerivativesAreThoseOfWhatIsFollowed) {
  sinew::Setup setup = test::tied_blocks(0);
  setup.bodies[0].damping_stiffness = 0.01;
  setup.gravity = Vec3(1, -9.81, 2);
  setup.contact.distance = 0.02;
  setup.contact.stiffness = 1e4;
  setup.obstacles.push_back(test::floor_plane(-0.085));  // reaches tied vertices, among others
  SpringSetup spring;
  spring.vertices = {setup.ties[0].faces(0, 0)};
  spring.point = Vec3(0.1, 0.2, 0.05);
  spring.stiffness = 300;
  setup.bodies[0].springs.push_back(spring);
  const auto system = build_system(std::move(setup));
  StepContext context = test::resting_context(*system);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto direction = [&](double size) {
    Points d = Points::Zero(3, system->vertex_count());
    for (Index v = 0; v < system->dynamic_count; ++v)
      for (int k = 0; k < 3; ++k) d(k, v) = size * number(random);
    system->place_followers(d);
    return d;
  };
  const Points x = system->rest + direction(2e-3);
  context.plane_start = context.plane_reference =
      context.plane_end = {{Vec3(0, -0.085, 0), Vec3(0, 1, 0), Vec3::UnitX()}};
  IncrementalPotential potential(*system);
  potential.begin_step(context, 1e4);
  potential.set_contacts(x, context.plane_start);
  ASSERT_FALSE(potential.contact().contacts().empty());
  Points g, before, after;
  SymBlockMatrix H;
  potential.derivatives(x, {.projection = Projection::none}, g, H);
  Points alone;
  potential.gradient(x, alone);
  EXPECT_LE((alone - g).norm(), 1e-14 * g.norm());
  for (const Index v : system->tied->followers()) EXPECT_EQ(g.col(v).norm(), 0);
  const double step = 1e-6;
  for (int round = 0; round < 5; ++round) {
    const Points d = direction(1);
    const double change = (potential.value(x + step * d).total() - potential.value(x - step * d).total()) / (2 * step);
    const Points own = d.leftCols(system->dynamic_count);
    EXPECT_NEAR(change, g.cwiseProduct(own).sum(), 1e-7 * g.norm() * own.norm());
    potential.gradient(x + step * d, after);
    potential.gradient(x - step * d, before);
    Points Hd(3, system->dynamic_count);
    H.multiply(own.data(), Hd.data());
    EXPECT_LE(((after - before) / (2 * step) - Hd).norm(), 1e-6 * Hd.norm());
  }
}

// Forces that hold in a face are handed on with their sum and their moment.
TEST(TiedPotential, InnerForcesHaveNoResultant) {
  const auto system = build_system(test::tied_blocks(1e-3));
  StepContext context = test::resting_context(*system);
  IncrementalPotential potential(*system);
  potential.begin_step(context, 0);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  Points x = system->rest;
  for (double& value : x.reshaped()) value += 5e-3 * number(random);
  system->place_followers(x);
  const Points f = potential.force(EnergyKind::elastic, x);
  Vec3 sum = Vec3::Zero(), moment = sum;
  for (Index v = 0; v < f.cols(); ++v) {
    sum += f.col(v);
    moment += Vec3(x.col(v)).cross(Vec3(f.col(v)));
  }
  EXPECT_LE(sum.norm(), 1e-12 * f.norm());
  EXPECT_LE(moment.norm(), 1e-12 * f.norm());
}

// Rotated and shifted as one nothing pulls at the tie, over a gap neither.
TEST(TiedPotential, RigidMotionsAreFreeOfForces) {
  for (const double gap : {0.0, 5e-3}) {
    const auto system = build_system(test::tied_blocks(gap));
    StepContext context = test::resting_context(*system);
    IncrementalPotential potential(*system);
    potential.begin_step(context, 0);
    const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 2, -0.5).normalized()).toRotationMatrix();
    Points x = (turn * system->rest).colwise() + Vec3(0.3, -0.2, 1);
    system->place_followers(x);
    EXPECT_LE(potential.force(EnergyKind::elastic, x).norm(), 1e-9);  // of 1e5 Pa times 0.03 m^2
  }
}

}  // namespace
}  // namespace sinew
