#include "sinew/contact/distance.h"

#include <cmath>
#include <set>

#include "contact/stencil_cases.h"
#include <gtest/gtest.h>

#include "sinew/contact/distance_derivatives.h"

namespace sinew {
namespace {

using test::random_vector;
using test::uniform;
using Real = long double;
using LVec = Eigen::Matrix<Real, 3, 1>;

constexpr double rounding = 2.2e-16;

LVec wide(const Vec3& x) {
  return x.cast<Real>();
}

Real reference_point_edge(const LVec& p, const LVec& a, const LVec& b) {
  const LVec e = b - a;
  const Real n = e.squaredNorm();
  const Real t = n > 0 ? std::clamp<Real>((p - a).dot(e) / n, 0, 1) : 0;
  return (p - a - t * e).squaredNorm();
}

// min |w - s e - t f| inside the given range of (s, t), by normal equations in extended precision; -1 if outside.
Real reference_inside(const LVec& w, const LVec& e, const LVec& f, bool triangle) {
  const LVec n = e.cross(f);
  const Real n2 = n.squaredNorm();
  if (n2 <= 1e-24L * e.squaredNorm() * f.squaredNorm()) return -1;
  const Real s = w.cross(f).dot(n) / n2, t = e.cross(w).dot(n) / n2;
  if (s < 0 || t < 0 || (triangle ? s + t > 1 : s > 1 || t > 1)) return -1;
  const LVec r = w - s * e;
  return (r - r.dot(f) / f.squaredNorm() * f).squaredNorm();  // insensitive to the error of s
}

Real reference_point_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Real inside = reference_inside(wide(p) - wide(a), wide(b) - wide(a), wide(c) - wide(a), true);
  const Real sides =
      std::min({reference_point_edge(wide(p), wide(a), wide(b)), reference_point_edge(wide(p), wide(b), wide(c)),
                reference_point_edge(wide(p), wide(c), wide(a))});
  return inside >= 0 ? std::min(inside, sides) : sides;
}

Real reference_edge_edge(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Real inside = reference_inside(wide(a) - wide(c), wide(a) - wide(b), wide(d) - wide(c), false);
  const Real ends =
      std::min({reference_point_edge(wide(a), wide(c), wide(d)), reference_point_edge(wide(b), wide(c), wide(d)),
                reference_point_edge(wide(c), wide(a), wide(b)), reference_point_edge(wide(d), wide(a), wide(b))});
  return inside >= 0 ? std::min(inside, ends) : ends;
}

double extent(std::initializer_list<Vec3> points) {
  double size = 0;
  for (const Vec3& p : points)
    for (const Vec3& q : points) size = std::max(size, (p - q).norm());
  return size;
}

TEST(Distance, PointEdgeTypes) {
  const Vec3 e0(0, 0, 0), e1(2, 0, 0);
  EXPECT_EQ(point_edge_type({-1, 1, 0}, e0, e1), PointEdgeType::p_e0);
  EXPECT_EQ(point_edge_type({0, 1, 0}, e0, e1), PointEdgeType::p_e0);
  EXPECT_EQ(point_edge_type({1, 1, 0}, e0, e1), PointEdgeType::p_e);
  EXPECT_EQ(point_edge_type({2, 1, 0}, e0, e1), PointEdgeType::p_e1);
  EXPECT_EQ(point_edge_type({3, 1, 0}, e0, e0), PointEdgeType::p_e0);
  EXPECT_EQ(point_edge_distance2({1, 3, 4}, e0, e1), 25);
  EXPECT_EQ(point_edge_distance2({5, 4, 0}, e0, e1), 25);
}

TEST(Distance, PointTriangleTypes) {
  const Vec3 t0(0, 0, 0), t1(2, 0, 0), t2(0, 2, 0);
  using T = PointTriangleType;
  const std::pair<Vec3, T> expected[] = {{{-1, -1, 1}, T::p_t0}, {{3, -1, 1}, T::p_t1}, {{-1, 3, 1}, T::p_t2},
                                         {{1, -1, 1}, T::p_e0},  {{2, 2, 1}, T::p_e1},  {{-1, 1, 1}, T::p_e2},
                                         {{0.5, 0.5, 1}, T::p_t}};
  for (const auto& [p, type] : expected) {
    EXPECT_EQ(point_triangle_type(p, t0, t1, t2), type);
    EXPECT_EQ(point_triangle_distance2(p, t0, t1, t2), point_triangle_distance2(p, t0, t1, t2, type));
  }
}

TEST(Distance, EdgeEdgeTypes) {
  const Vec3 a0(0, 0, 0), a1(1, 0, 0);
  using T = EdgeEdgeType;
  struct Row {
    Vec3 b0, b1;
    T type;
  };
  const Row rows[] = {
      {{-1, -1, 1}, {-1, -2, 2}, T::a0_b0}, {{-1, -2, 2}, {-1, -1, 1}, T::a0_b1}, {{2, 1, 1}, {3, 2, 1}, T::a1_b0},
      {{3, 2, 1}, {2, 1, 1}, T::a1_b1},     {{0.5, 1, 1}, {0.5, 2, 1}, T::a_b0},  {{0.5, 2, 1}, {0.5, 1, 1}, T::a_b1},
      {{-1, -1, 1}, {-1, 1, 1}, T::a0_b},   {{2, -1, 1}, {2, 1, 1}, T::a1_b},     {{0.5, -1, 1}, {0.5, 1, 1}, T::a_b}};
  for (const Row& row : rows) {
    EXPECT_EQ(edge_edge_type(a0, a1, row.b0, row.b1), row.type);
    EXPECT_EQ(edge_edge_distance2(a0, a1, row.b0, row.b1), edge_edge_distance2(a0, a1, row.b0, row.b1, row.type));
  }
}

TEST(Distance, ParallelAndDegeneratePrimitives) {
  const Vec3 a0(0, 0, 0), a1(1, 0, 0);
  EXPECT_EQ(edge_edge_distance2(a0, a1, {0.25, 1, 0}, {0.75, 1, 0}), 1);
  EXPECT_EQ(edge_edge_distance2(a0, a1, {2, 1, 0}, {3, 1, 0}), 2);
  EXPECT_EQ(edge_edge_distance2(a0, a1, {-3, 0, 0}, {-2, 0, 0}), 4);
  EXPECT_EQ(edge_edge_distance2(a0, a1, {0.5, 0, 0}, {2, 0, 0}), 0);
  EXPECT_EQ(edge_edge_distance2(a0, a1, {0.5, 2, 0}, {0.5, 2, 0}), 4);
  EXPECT_EQ(edge_edge_distance2(a0, a0, {3, 4, 0}, {3, 4, 0}), 25);
  EXPECT_NE(edge_edge_type(a0, a1, {0.25, 1, 0}, {0.75, 1, 0}), EdgeEdgeType::a_b);
  // Triangles without area: a needle, and a point.
  EXPECT_EQ(point_triangle_distance2({0.5, 2, 0}, a0, {0.5, 0, 0}, a1), 4);
  EXPECT_EQ(point_triangle_distance2({0.5, 2, 0}, a0, a1, {0.5, 0, 0}), 4);
  EXPECT_EQ(point_triangle_distance2({3, 4, 0}, a0, a0, a0), 25);
}

// Gaps from 1 to 1e-9 of the size, angles down to exactly parallel, slivers: error of a few roundings of the size.
TEST(Distance, AbsoluteErrorIsRoundingOfTheSize) {
  std::mt19937 random(1);
  std::set<PointTriangleType> triangle_types;
  std::set<EdgeEdgeType> edge_types;
  for (int i = 0; i < 60000; ++i) {
    const double gap = std::pow(10, uniform(random, -9, 0));
    const double flat = i % 3 == 0 ? 1 : std::pow(10, uniform(random, -12, 0));
    const auto squash = [&](Vec3 p) { return Vec3(p[0], flat * p[1], gap * p[2]); };
    const Mat3 R = test::random_rotation(random);
    const auto point = [&] { return Vec3(R * squash(random_vector(random))); };
    const Vec3 a = point(), b = point(), c = point(), d = point();
    const double size = extent({a, b, c, d});
    triangle_types.insert(point_triangle_type(a, b, c, d));
    edge_types.insert(edge_edge_type(a, b, c, d));
    const double triangle_error =
        std::abs(static_cast<double>(std::sqrt(static_cast<Real>(point_triangle_distance2(a, b, c, d))) -
                                     std::sqrt(reference_point_triangle(a, b, c, d))));
    const double edge_error = std::abs(static_cast<double>(
        std::sqrt(static_cast<Real>(edge_edge_distance2(a, b, c, d))) - std::sqrt(reference_edge_edge(a, b, c, d))));
    ASSERT_LE(triangle_error, 32 * rounding * size) << "gap " << gap << " flat " << flat;
    ASSERT_LE(edge_error, 32 * rounding * size) << "gap " << gap << " flat " << flat;
  }
  EXPECT_EQ(triangle_types.size(), 7u);
  EXPECT_EQ(edge_types.size(), 9u);
}

// Edges 1e-9 apart that turn into parallel: never zero, never far off.
TEST(Distance, NearlyParallelEdgesAtTinyGap) {
  const double gap = 1e-9;
  for (double angle = 0.1; angle > 1e-18; angle *= 0.7) {
    const Vec3 a0(-0.5, 0.1, 0.3), a1(0.5, 0.1, 0.3), v(0.5 * std::cos(angle), 0.5 * std::sin(angle), 0);
    const Vec3 b(0.05, 0.1, 0.3 + gap);
    const double d = std::sqrt(edge_edge_distance2(a0, a1, b - v, b + v));
    EXPECT_NEAR(d, gap, 5 * rounding) << angle;
  }
}

TEST(Distance, PowerOfTwoScalingIsExact) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    const double flat = std::pow(10, uniform(random, -10, 0));
    const auto point = [&] { return Vec3(random_vector(random).cwiseProduct(Vec3(1, flat, flat))); };
    const Vec3 a = point(), b = point(), c = point(), d = point();
    const double s = 1.0 / 1024;
    EXPECT_EQ(point_triangle_distance2(s * a, s * b, s * c, s * d), s * s * point_triangle_distance2(a, b, c, d));
    EXPECT_EQ(edge_edge_distance2(s * a, s * b, s * c, s * d), s * s * edge_edge_distance2(a, b, c, d));
  }
}

TEST(Distance, DerivativesAgainstDifferences) {
  for (const double gap : {0.3, 1e-2, 1e-4}) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      for (const test::StencilCase& c : test::stencil_cases(gap, seed)) {
        const ClosestPair pair = closest_pair(c.kind, c.x);
        EXPECT_NEAR(pair.distance2, pair_distance2(c.kind, c.x), 20 * rounding * gap) << c.name;
        const Vec12 g = distance2_gradient(pair);
        const Mat12 H = distance2_hessian(pair, pair_frame(pair));
        const double h = 0.01 * c.scale;
        const Vec12 dg =
            test::difference_gradient([&](const StencilPoints& x) { return pair_distance2(c.kind, x); }, c.x, h);
        const Mat12 dH = test::difference_jacobian(
            [&](const StencilPoints& x) { return distance2_gradient(closest_pair(c.kind, x)); }, c.x, h);
        EXPECT_LE((g - dg).norm(), 1e-9 * g.norm()) << c.name << " gap " << gap;
        // The gradient has an error of a few roundings of the size, the difference quotient that over h.
        EXPECT_LE((H - dH).norm(), (1e-9 + 100 * rounding / h) * H.norm()) << c.name << " gap " << gap;
      }
    }
  }
}

TEST(Distance, DerivativesAreSymmetricAndTranslationInvariant) {
  for (const test::StencilCase& c : test::stencil_cases(1e-3, 7)) {
    const ClosestPair pair = closest_pair(c.kind, c.x);
    const Vec12 g = distance2_gradient(pair);
    const Mat12 H = distance2_hessian(pair, pair_frame(pair));
    EXPECT_LE((H - H.transpose()).norm(), 1e-14 * H.norm()) << c.name;
    Eigen::Matrix<double, 12, 3> translations;
    for (int i = 0; i < 4; ++i) translations.middleRows<3>(3 * i).setIdentity();
    EXPECT_LE((g.transpose() * translations).norm(), 1e-15 * g.norm()) << c.name;
    EXPECT_LE((H * translations).norm(), 1e-14 * H.norm()) << c.name;
    const int used = 3 * test::vertex_count(c.kind);
    EXPECT_EQ(g.tail(12 - used).norm(), 0) << c.name;
    EXPECT_EQ(H.bottomRows(12 - used).norm(), 0) << c.name;
  }
}

// The limit of a touching pair has finite derivatives.
TEST(Distance, DerivativesAtContact) {
  for (test::StencilCase c : test::stencil_cases(1e-3, 3)) {
    if (c.kind != StencilKind::point_point && c.kind != StencilKind::point_edge) continue;
    c.x.col(0) = c.x.col(1);
    const ClosestPair pair = closest_pair(c.kind, c.x);
    EXPECT_EQ(pair.distance2, 0);
    EXPECT_TRUE(distance2_hessian(pair, pair_frame(pair)).allFinite()) << c.name;
  }
}

}  // namespace
}  // namespace sinew
