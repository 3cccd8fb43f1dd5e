#include "sdf.h"

#include <map>
#include <numbers>
#include <random>

#include "sdf_limb.h"
#include "sdf_outline.h"
#include "sdf_struts.h"
#include "sdf_sweep.h"
#include "shapes/goldberg.h"
#include <gtest/gtest.h>

namespace sinew::mesher {
namespace {

TEST(Sdf, DistancesOfBoxAndTorus) {
  EXPECT_DOUBLE_EQ(box_distance({3, 0, 0}, {1, 1, 1}), 2);
  EXPECT_DOUBLE_EQ(box_distance({0, 0.75, 0}, {1, 1, 1}), -0.25);
  EXPECT_DOUBLE_EQ(box_distance({2, 2, 0}, {1, 1, 1}), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(box_distance({2, 2, 0}, {1, 1, 1}, 0.5), std::sqrt(2 * 1.5 * 1.5) - 0.5);
  EXPECT_DOUBLE_EQ(torus_distance({0, 0, 5}, 3, 1), 1);
  EXPECT_DOUBLE_EQ(torus_distance({3, 0.5, 0}, 3, 1), -0.5);
}

TEST(Sdf, DistancesOfEllipsoidAndCapsule) {
  EXPECT_DOUBLE_EQ(ellipsoid_distance({0, 0, 0}, {3, 2, 1}), -1);
  EXPECT_DOUBLE_EQ(ellipsoid_distance({0, 5, 0}, {3, 2, 1}), 3);
  EXPECT_NEAR(ellipsoid_distance({3 / std::sqrt(2.0), 0, 1 / std::sqrt(2.0)}, {3, 2, 1}), 0, 1e-15);
  EXPECT_DOUBLE_EQ(ellipsoid_distance({1, 2, 2}, {2, 2, 2}), 1);
  EXPECT_DOUBLE_EQ(capsule_distance({-4, 0, 0}, {0, 0, 0}, {2, 0, 0}, 1, 0.5), 3);
  EXPECT_DOUBLE_EQ(capsule_distance({1, 0, 3}, {0, 0, 0}, {2, 0, 0}, 1, 0.5), 2.25);
  EXPECT_DOUBLE_EQ(capsule_distance({2, 0.25, 0}, {0, 0, 0}, {2, 0, 0}, 1, 0.5), -0.25);
}

TEST(Limb, JointsLieAcrossItsBends) {
  const Limb limb{{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}}, {0.2, 0.2, 0.1}};
  EXPECT_DOUBLE_EQ(limb.distance({1, 0.5, 0}), 0.3);
  EXPECT_DOUBLE_EQ(limb.distance({2, 3, 0}), 0.9);
  const Vec3 bend(2, 0, 0), along = Vec3(1, 1, 0).normalized(), across = Vec3(1, -1, 0).normalized();
  EXPECT_TRUE(limb.in_joint(bend + 0.09 * along + 0.2 * across, 1, 0.1));
  EXPECT_TRUE(limb.in_joint(bend - 0.09 * along - 0.2 * across, 1, 0.1));
  EXPECT_FALSE(limb.in_joint(bend + 0.11 * along, 1, 0.1));
  EXPECT_FALSE(limb.in_joint(bend + 0.37 * across, 1, 0.1));  // another part of the solid
}

TEST(Sweep, PassesThroughItsSectionsAndIsAnEllipseAcross) {
  const Sweep sweep({{{0, 0, 0}, 0.2, 1}, {{1, 0, 0}, 0.2, 2}, {{2, 0.5, 0}, 0.1, 1}, {{2.5, 1.5, 0}, 0.1, 1}}, 4);
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0.5, 0), Vec3(2.5, 1.5, 0)})
    EXPECT_LT(sweep.distance(p), -0.09);
  EXPECT_NEAR(sweep.distance({1, 0, 0.4}), 0, 1e-3);  // along the side
  EXPECT_NEAR(sweep.distance({0, 0.2, 0}), 0, 1e-3);
  EXPECT_GT(sweep.distance({5, 5, 5}), 3);  // to the box, beyond
  for (const double t : {0.1, 0.4, 0.8}) {
    for (const double angle : {0.0, 0.7, 2.0, 3.1}) {
      const Vec3 p = sweep.surface(t, angle), n = sweep.normal(t, angle);
      EXPECT_LT(sweep.distance(p - 0.02 * n), 0);
      EXPECT_GT(sweep.distance(p + 0.02 * n), 0);
      EXPECT_NEAR(n.dot(sweep.tangent(t)), 0, 1e-12);
    }
  }
}

TEST(Sweep, ItsDistanceIsNotMoreThanTheTrueOneFarAway) {
  const Sweep sweep({{{0, 0, 0}, 0.2, 1}, {{1, 0, 0}, 0.2, 1}}, 4);
  for (const double y : {0.25, 0.5, 2.0}) {
    EXPECT_LE(sweep.distance({0.5, y, 0}), y - 0.2 + 1e-12);
    EXPECT_GT(sweep.distance({0.5, y, 0}), 0);
  }
}

TEST(Cones, AreTheirUnion) {
  Cones cones;
  cones.add({{0, 0, 0}, {0, 1, 0}, 0.2, 0.1});
  cones.add({{1, 0, 0}, {1, 1, 0}, 0.2, 0.1});
  EXPECT_NEAR(cones.distance({0.22, 0, 0}), 0.02, 1e-12);
  EXPECT_NEAR(cones.distance({1, 0.5, 0}), -0.15, 1e-12);
  EXPECT_LT(cones.distance({0.5, 0.5, 0}, 1), cones.distance({0.5, 0.5, 0}));  // the fillet
  EXPECT_NEAR(cones.distance({0.5, 3, 0}), 1.9, 1e-12);                        // to the box
}

TEST(Sdf, SmoothJoinsDifferOnlyNearTheEdge) {
  EXPECT_DOUBLE_EQ(smooth_union(1, 3, 1), 1);
  EXPECT_DOUBLE_EQ(smooth_union(1, 1, 1), 0.75);
  EXPECT_DOUBLE_EQ(smooth_intersection(1, 3, 1), 3);
  EXPECT_DOUBLE_EQ(round_intersection(-2, 0.5, 0.1), 0.5);
  // A corner of radius 1: its arc passes (1 - 1 / sqrt 2) inside the corner along each axis.
  const double arc = 1 / std::sqrt(2.0) - 1;
  EXPECT_NEAR(round_intersection(arc, arc, 1), 0, 1e-15);
}

TEST(StrutField, ALoneStrutIsARoundCone) {
  StrutField field;
  const Vec3 a(0.1, 0.2, -0.1), b(0.5, -0.1, 0.3);
  field.add({a, b}, {0.05, 0.03});
  field.build();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> in(-0.1, 0.7);
  int inside = 0;
  for (int i = 0; i < 200000; ++i) {
    const Vec3 p(in(random), in(random)-0.2, in(random)-0.2);
    const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    const double beyond = (p - a - t * (b - a)).norm() - (0.05 - 0.02 * t);
    if (std::abs(beyond) < 1e-12) continue;
    ASSERT_EQ(field.inside(p), beyond < 0) << p.transpose();
    inside += beyond < 0;
  }
  EXPECT_GT(inside, 100);
  EXPECT_FALSE(field.inside({10, 0, 0}));
  EXPECT_FALSE(field.inside(Vec3::Constant(std::numeric_limits<double>::quiet_NaN())));
}

TEST(StrutField, JointsHaveNoGapAndNoSharpNotch) {
  StrutField field;
  const Vec3 joint(0.01, 0.02, 0.03);
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * std::numbers::pi * i / 3;
    field.add(joint, joint + Vec3(std::cos(angle), std::sin(angle), 0), 0.05);
  }
  field.build();
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * std::numbers::pi * i / 3;
    for (double s = 0; s <= 1.049; s += 1e-3) {
      const Vec3 p = joint + s * Vec3(std::cos(angle), std::sin(angle), 0);
      ASSERT_TRUE(field.inside(p));
      if (s > 1) continue;
      ASSERT_TRUE(field.inside(p + Vec3(0, 0, 0.0499)));
      ASSERT_TRUE(field.inside(p - Vec3(0, 0, 0.0499)));
    }
  }
  // In the notch between two struts at 120 degrees, their common tangent planes meet at 0.05 / sin 60.
  const double notch = 0.05 / std::sin(std::numbers::pi / 3);
  EXPECT_TRUE(
      field.inside(joint + 1.05 * notch * Vec3(std::cos(std::numbers::pi / 3), std::sin(std::numbers::pi / 3), 0)));
}

TEST(Goldberg, CountsAndNeighbours) {
  for (int n = 1; n <= 5; ++n) {
    const SphereTiling tiling = goldberg_tiling(n);
    EXPECT_EQ(tiling.corners.size(), static_cast<std::size_t>(20 * n * n));
    EXPECT_EQ(tiling.edges.size(), static_cast<std::size_t>(30 * n * n));
    EXPECT_EQ(tiling.cells.size(), static_cast<std::size_t>(10 * n * n + 2));
    std::vector<int> valence(tiling.corners.size(), 0);
    double shortest = 2, longest = 0;
    for (const auto& [a, b] : tiling.edges) {
      ++valence[static_cast<std::size_t>(a)], ++valence[static_cast<std::size_t>(b)];
      const double length =
          (tiling.corners[static_cast<std::size_t>(a)] - tiling.corners[static_cast<std::size_t>(b)]).norm();
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    for (const int v : valence) EXPECT_EQ(v, 3);
    EXPECT_LT(longest, 2.1 * shortest);
  }
}

TEST(Outline, SplinePassesItsPointsAndTheFieldIsADistance) {
  const std::vector<Eigen::Vector2d> square = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const std::vector<Eigen::Vector2d> curve = closed_spline(square, 8);
  ASSERT_EQ(curve.size(), 32u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT((curve[8 * i] - square[i]).norm(), 1e-15);

  std::vector<Eigen::Vector2d> circle;
  for (int i = 0; i < 2000; ++i) {
    const double angle = 2 * std::numbers::pi * i / 2000;
    circle.emplace_back(2 + std::cos(angle), std::sin(angle));
  }
  const OutlineField field(circle, 0.01, 0.5);
  for (double x = 0.7; x < 3.3; x += 0.037) {
    for (double y = -1.3; y < 1.3; y += 0.041) {
      const double r = std::hypot(x - 2, y);
      if (r < 0.1) continue;  // the medial axis
      // The second derivative of the distance is at most 1 / r: a bilinear cell of 0.01 is off by 0.01^2 / (4 r).
      EXPECT_NEAR(field(x, y), r - 1, 2.5e-5 / r + 2e-6);
    }
  }
}

}  // namespace
}  // namespace sinew::mesher
