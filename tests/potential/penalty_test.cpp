// Penalty forces: derivatives, balance, the half-spaces that they are.
#include <cmath>
#include <random>

#include "support/bodies.h"
#include "support/derivatives.h"
#include <gtest/gtest.h>

#include "sinew/potential/penalty_contact.h"

namespace sinew {
namespace {

constexpr double distance = 0.05, stiffness = 2e4;

// A vertex at depth `z` below a tilted triangle, and one near a plane.
struct Pushed {
  explicit Pushed(double z) : energy(5) {
    x.resize(3, 5);
    x.col(0) = Vec3(0.3, 0.2, z);
    x.col(1) = Vec3(0, 0, 0);
    x.col(2) = Vec3(1, 0.1, 0);
    x.col(3) = Vec3(0, 1, 0.1);
    x.col(4) = Vec3(2, 0, distance / 3);
    PenaltyStencil one;
    one.v = {0, 1, 2, 3};
    one.c = Eigen::Vector4d(1, -0.5, -0.3, -0.2);
    one.normal = (x.col(2) - x.col(1)).cross(x.col(3) - x.col(1)).normalized();
    one.stiffness = 0.01;
    PenaltyStencil other;
    other.v[0] = 4;
    other.c[0] = 1;
    other.plane = 0;
    other.stiffness = 0.02;
    planes = {{Vec3(0, 0, 0), Vec3(0.1, 0, 1).normalized(), Vec3::Zero()}};
    other.normal = planes[0].normal;
    energy.set(stiffness, distance);
    std::vector<PenaltyStencil> contacts = {one, other};
    energy.swap_contacts(contacts, planes);
  }
  Points x;
  std::vector<PlaneState> planes;
  PenaltyEnergy energy;
};

TEST(PenaltyEnergy, DerivativesMatchDifferences) {
  for (const double z : {-0.2, 0.0}) {
    Pushed pushed(z);
    test::expect_derivatives(pushed.energy, pushed.x, 1e-5, nullptr, 1e-8);
  }
}

TEST(PenaltyEnergy, ActionIsReactionAndTheForceIsThatOfTheDepth) {
  Pushed pushed(-0.2);
  Points g = Points::Zero(3, 5);
  pushed.energy.add_gradient(pushed.x, 1, g);
  EXPECT_LT(g.leftCols(4).rowwise().sum().norm(), 1e-12 * g.norm());
  const PenaltyStencil& contact = pushed.energy.contacts()[0];
  const double depth = distance - pushed.energy.gap(contact, pushed.x);
  EXPECT_GT(depth, distance + 0.1);
  EXPECT_NEAR(g.col(0).norm(), stiffness * 0.01 * depth, 1e-10);
  EXPECT_DOUBLE_EQ(pushed.energy.force(contact, pushed.x), stiffness * 0.01 * depth);
}

TEST(PenaltyEnergy, NothingActsBeyondTheDistance) {
  Pushed pushed(1);
  pushed.x(2, 4) = 1;
  EXPECT_EQ(pushed.energy.value(pushed.x), 0);
  Points g = Points::Zero(3, 5);
  pushed.energy.add_gradient(pushed.x, 1, g);
  EXPECT_TRUE(g.isZero(0));
}

TEST(PenaltyEnergy, ContactsThatOpenWithinTheRadiusHaveNoHessian) {
  Pushed pushed(0.04);
  std::vector<std::pair<Index, Index>> pairs;
  pushed.energy.collect_pairs(pairs);
  const auto norm = [&] {
    SymBlockMatrix H(make_pattern(5, pairs));
    Points g = Points::Zero(3, 5);
    pushed.energy.add_derivatives(pushed.x, 1, Projection::psd, g, H);
    double sum = 0;
    for (const double v : H.values()) sum += v * v;
    return sum;
  };
  EXPECT_GT(norm(), 0);
  EXPECT_TRUE(pushed.energy.softens(pushed.x, 0.2, {}, 1));
  pushed.energy.set_radius(0.2);
  EXPECT_EQ(norm(), 0);
}

// Which contacts are found: those of a fresh search, whatever has been found before.
TEST(PenaltyContact, FindsTheSameAsAFreshSearch) {
  sinew::Setup setup;
  setup.contact.model = ContactKind::penalty;
  setup.contact.distance = 0.02;
  const MaterialAssignment material = test::material("neo_hookean", 1e5, 0.3);
  setup.bodies.push_back(test::body("a", make_sphere(0.5, 0.2), material));
  setup.bodies.push_back(test::body("b", make_torus(0.7, 0.2, 0.15), material, Vec3(0, 1, 0)));
  setup.obstacles.push_back(test::floor_plane(-0.6));
  const auto system = build_system(std::move(setup));
  PenaltyContact kept(*system);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-0.004, 0.004);  // surfaces stay embedded
  Points x = system->rest;
  const std::vector<PlaneState> planes = {{Vec3(0, -0.6, 0), Vec3::UnitY(), Vec3::Zero()}};
  std::size_t most = 0;
  for (int k = 0; k < 40; ++k) {
    for (Index i = 0; i < system->dynamic_count; ++i)
      x.col(i) +=
          Vec3(uniform(random), uniform(random) - (system->vertex_body[i] == 1 ? 0.04 : 0.005), uniform(random));
    PenaltyContact fresh(*system);
    kept.find(x, planes);
    fresh.find(x, planes);
    ASSERT_EQ(kept.contacts().size(), fresh.contacts().size()) << k;
    for (std::size_t c = 0; c < kept.contacts().size(); ++c) ASSERT_EQ(kept.contacts()[c].v, fresh.contacts()[c].v);
    EXPECT_EQ(kept.min_distance(), fresh.min_distance());
    most = std::max(most, kept.contacts().size());
  }
  EXPECT_GT(most, 20u);
}

}  // namespace
}  // namespace sinew
