// Strain limits of springs on edges: the barrier's derivatives in each branch, the step filter against the exact root.
#include "sinew/potential/stretch_limit.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "support/bodies.h"
#include "support/derivatives.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/model/edit.h"
#include "sinew/potential/edge_springs.h"

namespace sinew::stretch_limit_test {
namespace {

constexpr double limit = 0.1;

std::shared_ptr<System> limited_sheet(std::array<Index, 2> cells, double bending = 0.3) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::cloth("sheet", make_sheet({0.3, 0.2}, cells), test::springs(2e5, 300, 1e-3, bending, "springs", limit)));
  return build_system(std::move(setup));
}

std::shared_ptr<System> limited_box() {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("box", make_box(Vec3(0.3, 0.2, 0.1), {1, 1, 1}), test::springs(2e5, 300, 0, 0, "springs", limit)));
  return build_system(std::move(setup));
}

Points shaken(const System& system, double factor, double noise) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-noise, noise);
  Points x = factor * system.rest;
  for (double& value : x.reshaped()) value += uniform(random);
  return x;
}

EdgeSpring one_spring() {
  EdgeSpring spring;
  spring.length = 0.2;
  spring.stiffness = 50;
  spring.longest = 0.22;
  return spring;
}

// The barrier as C-IPC writes it: -kappa V ((s - 1)/(S - 1))^2 ln((S - s)/(S - 1)), kappa V = k l^2 (S - 1)^2.
TEST(StretchLimit, IsTheBarrierOfCodimensionalIpc) {
  const EdgeSpring spring = one_spring();
  const double S = spring.longest / spring.length, kappa_volume = spring.stiffness * 0.04 * (S - 1) * (S - 1);
  for (const double share : {0.01, 0.3, 0.499, 0.501, 0.9, 0.999}) {
    const double s = 1 + share * (S - 1), ratio = (s - 1) / (S - 1);
    const double expected = -kappa_volume * ratio * ratio * std::log((S - s) / (S - 1));
    EXPECT_NEAR(stretch_barrier(spring, s * spring.length), expected, 1e-11 * expected) << share;
  }
}

TEST(StretchLimit, BarrierIsZeroWithoutTension) {
  const EdgeSpring spring = one_spring();
  for (const double length : {0.0, 0.1, 0.2}) {
    EXPECT_EQ(stretch_barrier(spring, length), 0);
    EXPECT_EQ(stretch_barrier_force(spring, length), 0);
    EXPECT_EQ(stretch_barrier_stiffness(spring, length), 0);
  }
  EdgeSpring unlimited = spring;
  unlimited.longest = 0;
  EXPECT_EQ(stretch_barrier(unlimited, 5), 0);
  // C2: all of it starts from zero.
  EXPECT_LT(stretch_barrier_stiffness(spring, 0.2 * (1 + 1e-9)), 1e-5 * spring.stiffness);
  for (const double length : {0.22, 0.3}) EXPECT_EQ(stretch_barrier(spring, length), INFINITY);
  EXPECT_LT(stretch_barrier(spring, std::nextafter(0.22, 0.0)), INFINITY);
  EXPECT_GT(stretch_barrier_force(spring, std::nextafter(0.22, 0.0)), 1e12);
}

TEST(StretchLimit, SlopesMatchDifferencesInEachBranch) {
  const EdgeSpring spring = one_spring();
  const double w = spring.longest - spring.length;
  for (const double share : {0.001, 0.2, 0.4999, 0.5001, 0.9, 0.999, 0.999999}) {
    SCOPED_TRACE(share);
    const double length = spring.length + share * w, h = 1e-4 * std::min(share, 1 - share) * w;
    const double force = stretch_barrier_force(spring, length), stiffness = stretch_barrier_stiffness(spring, length);
    const auto difference = [&](auto&& f) { return (f(spring, length + h) - f(spring, length - h)) / (2 * h); };
    EXPECT_NEAR(difference(stretch_barrier), force, 2e-5 * force);
    EXPECT_NEAR(difference(stretch_barrier_force), stiffness, 2e-5 * stiffness);
    EXPECT_GT(force, 0);
    EXPECT_GT(stiffness, 0);
  }
}

TEST(StretchLimit, DerivativesOfSheetsMatchDifferences) {
  for (const auto& system : {limited_sheet({3, 2}), limited_box()}) {
    const EdgeSpringEnergy energy(*system);
    for (const double factor : {0.7, 1.0, 1.05, 1.07}) {
      SCOPED_TRACE(factor);
      const Points x = shaken(*system, factor, 5e-4);
      ASSERT_TRUE(overstretched(*system, x).empty());
      test::expect_derivatives(energy, x, 1e-7, nullptr, 1e-4);
      test::expect_semidefinite(energy, x);
    }
    const Points near_limit = 1.0999 * system->rest;
    test::expect_derivatives(energy, near_limit, 1e-8, nullptr, 1e-4);
    test::expect_semidefinite(energy, near_limit);
    EXPECT_EQ(energy.value(1.1001 * system->rest), INFINITY);
    // Rounding is told: about eps times positions and forces.
    EXPECT_GT(energy.value_rounding(near_limit), 0);
    EXPECT_LT(energy.value_rounding(near_limit), 1e-9 * energy.value(near_limit));
  }
}

TEST(StretchLimit, BendingSpringsHaveNone) {
  const auto system = limited_sheet({4, 3});
  int along = 0, across = 0;
  for (const EdgeSpring& spring : system->edge_springs) {
    (spring.bending ? across : along)++;
    EXPECT_DOUBLE_EQ(spring.longest, spring.bending ? 0 : 1.1 * spring.length);
  }
  EXPECT_GT(along, 0);
  EXPECT_GT(across, 0);
}

// The root along random ways, against long double arithmetic.
TEST(StretchLimit, FilterIsTheExactRoot) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int with_root = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Vec3 u(normal(random), normal(random), normal(random)), d(normal(random), normal(random), normal(random));
    const double longest = 1;
    // From slack ones to those at 1e-15 of their limit, ways of 1e-6 to 1e6.
    u *= (1 - std::pow(10, -std::abs(5 * normal(random)))) / u.norm();
    d *= std::pow(10, 2 * normal(random));
    if (!(u.norm() < longest)) continue;
    const double t = first_overstretch(u, d, longest);
    const auto length2 = [&](long double at) {
      long double sum = 0;
      for (int k = 0; k < 3; ++k) {
        const long double value = static_cast<long double>(u[k]) + at * static_cast<long double>(d[k]);
        sum += value * value;
      }
      return sum;
    };
    ASSERT_GT(t, 0);
    if (std::isinf(t)) {
      EXPECT_LE(length2(1), 1 + 1e-14L);
      continue;
    }
    ++with_root;
    ASSERT_LE(t, 1 + 1e-12);
    EXPECT_NEAR(static_cast<double>(length2(t)), 1, 1e-12 * std::max(1.0, t * d.norm()));
    if (u.norm() < 1 - 1e-14) EXPECT_LT(length2(0.9L * t), 1);
  }
  EXPECT_GT(with_root, 3000);
}

TEST(StretchLimit, FilterStopsTheFirstEdge) {
  const auto system = limited_sheet({5, 4});
  const Points x = 1.02 * system->rest;
  EXPECT_NEAR(stretch_step(*system, x, system->rest), 0.9 * 0.08, 1e-12);
  EXPECT_EQ(stretch_step(*system, x, 0.07 * system->rest), 1);
  EXPECT_EQ(stretch_step(*system, x, -0.5 * system->rest), 1);
  // Turned inside out and beyond: the far end of the way is too long.
  EXPECT_NEAR(stretch_step(*system, x, -3.0 * system->rest), 0.9 * 2.12 / 3, 1e-12);
  // One vertex alone, far along.
  Points one = Points::Zero(3, x.cols());
  one(1, system->edge_springs[0].a) = 1;
  const double t = stretch_step(*system, x, one);
  EXPECT_LT(t, 1);
  EXPECT_TRUE(overstretched(*system, x + t * one).empty());
  EXPECT_FALSE(overstretched(*system, x + t / 0.9 * (1 + 1e-9) * one).empty());
  EXPECT_EQ(stretch_step(*limited_box(), 1.02 * limited_box()->rest, Points::Zero(3, 8)), 1);
}

TEST(StretchLimit, MaterialsChangeIt) {
  const auto system = limited_sheet({4, 3});
  const std::vector<EdgeSpring> before = system->edge_springs;
  apply(*system, MaterialEdit{"springs", {{"young", {6e5}}}});  // the limit stays, to the bit
  for (std::size_t s = 0; s < before.size(); ++s) EXPECT_EQ(system->edge_springs[s].longest, before[s].longest);
  apply(*system, MaterialEdit{"springs", {{"young", {6e5}}, {"stretch_limit", {0.5}}}});
  for (const EdgeSpring& spring : system->edge_springs)
    EXPECT_DOUBLE_EQ(spring.longest, spring.bending ? 0 : 1.5 * spring.length);
  apply(*system, MaterialEdit{"springs", {{"young", {6e5}}, {"stretch_limit", {0}}}});
  for (const EdgeSpring& spring : system->edge_springs) EXPECT_EQ(spring.longest, 0);
  EXPECT_THROW(apply(*system, MaterialEdit{"springs", {{"young", {6e5}}, {"stretch_limit", {-1}}}}), InputError);
}

TEST(StretchLimit, EdgesOfElementsWithSeveralLimitsHaveTheSmallest) {
  sinew::Setup setup;
  MaterialAssignment material = test::springs(2e5, 300, 1e-3, 0, "springs", limit);
  material.parameters[3] = {0.2, 0.1};
  setup.bodies.push_back(test::cloth("sheet", make_sheet({0.3, 0.2}, {1, 1}), material));
  const auto system = build_system(std::move(setup));
  ASSERT_EQ(system->edge_springs.size(), 5u);
  int tight = 0;
  for (const EdgeSpring& spring : system->edge_springs) tight += spring.longest < 1.15 * spring.length;
  EXPECT_EQ(tight, 3);
}

TEST(StretchLimit, ThreadsDoNotChangeBits) {
  const auto system = limited_sheet({60, 50});
  const Points x = shaken(*system, 1.07, 2e-5);
  ASSERT_TRUE(overstretched(*system, x).empty());
  const auto run = [&](int threads) {
    const ThreadLimit thread_limit(threads);
    const EdgeSpringEnergy energy(*system);
    std::vector<std::pair<Index, Index>> pairs;
    energy.collect_pairs(pairs);
    SymBlockMatrix H(make_pattern(system->dynamic_count, pairs));
    Points g = Points::Zero(3, system->dynamic_count);
    energy.add_derivatives(x, 0.3, Projection::psd, g, H);
    std::vector<double> all(g.data(), g.data() + g.size());
    all.insert(all.end(), H.values().begin(), H.values().end());
    all.push_back(energy.value(x));
    all.push_back(stretch_step(*system, x, x));
    return all;
  };
  const std::vector<double> one = run(1), two = run(2);
  ASSERT_EQ(one.size(), two.size());
  EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size() * sizeof(double)), 0);
}

}  // namespace
}  // namespace sinew::stretch_limit_test
