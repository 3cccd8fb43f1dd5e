#include "sinew/contact/ccd.h"

#include <functional>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "sinew/contact/accd.h"
#include "sinew/contact/distance.h"

namespace sinew {
namespace {

using Query = std::array<Vec3, 8>;  // four points at t = 0, four at t = 1

std::optional<double> solve(bool edges, const Query& p) {
  return edges ? ccd::edge_edge(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7])
               : ccd::vertex_face(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]);
}

double distance_at(bool edges, const Query& p, double t) {
  std::array<Vec3, 4> x;
  for (int k = 0; k < 4; ++k) x[k] = (1 - t) * p[k] + t * p[k + 4];
  return std::sqrt(edges ? edge_edge_distance2(x[0], x[1], x[2], x[3])
                         : point_triangle_distance2(x[0], x[1], x[2], x[3]));
}

Query lattice_query(std::mt19937_64& random, int size) {
  std::uniform_int_distribution<int> coordinate(-size, size);
  Query p;
  for (Vec3& v : p) v = Vec3(coordinate(random), coordinate(random), coordinate(random));
  return p;
}

class Ccd : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Ccd, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "edges" : "faces"; });

// Small integers and a contact built at a dyadic time: all exact in doubles, so the contact exists exactly.
TEST_P(Ccd, neverMissesAnExactContact) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 30000; ++trial) {
    Query p = lattice_query(random, trial % 3 == 0 ? 2 : 64);
    for (Vec3& v : p) v *= 64;
    const double contact = std::ldexp(1, -static_cast<int>(random() % 4));  // 1, 1/2, 1/4, 1/8
    std::array<Vec3, 4> x;
    for (int k = 0; k < 4; ++k) x[k] = (1 - contact) * p[k] + contact * p[k + 4];
    const double s = (random() % 5) / 4.0, u = (1 - s) * (random() % 5) / 4.0;
    const double w = (random() % 5) / 4.0;
    Vec3 gap;  // what vertex 0 (and 1 of an edge) must move by to touch at `contact`
    if (GetParam()) {
      gap = (1 - w) * x[2] + w * x[3] - ((1 - s) * x[0] + s * x[1]);
    } else {
      gap = (1 - s - u) * x[1] + s * x[2] + u * x[3] - x[0];
    }
    p[4] += gap / contact;
    if (GetParam()) p[5] += gap / contact;
    const std::optional<double> t = solve(GetParam(), p);
    ASSERT_TRUE(t.has_value()) << "trial " << trial;
    ASSERT_LE(*t, contact) << "trial " << trial;
  }
}

// Dense sampling: free before the time of impact, close at it, free throughout where there is none.
TEST_P(Ccd, agreesWithDenseSampling) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  int hits = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Query p;
    for (Vec3& v : p) v = Vec3(normal(random), normal(random), normal(random));
    const std::optional<double> t = solve(GetParam(), p);
    for (int i = 0; i < 200; ++i) {
      const double at = (t ? *t : 1.0) * i / 200;
      ASSERT_GT(distance_at(GetParam(), p, at), t ? 0 : 1e-14) << "trial " << trial << " at " << at;
    }
    if (!t) continue;
    ++hits;
    EXPECT_LT(distance_at(GetParam(), p, *t), 1e-13) << "trial " << trial;
  }
  EXPECT_GT(hits, 100);
}

TEST_P(Ccd, scalingByPowersOfTwoAndSwappingRolesKeepsTheResult) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 2000; ++trial) {
    Query p;
    for (Vec3& v : p) v = Vec3(normal(random), normal(random), normal(random));
    const std::optional<double> t = solve(GetParam(), p);
    for (int exponent : {-60, -10, 3, 60}) {
      Query scaled = p;
      for (Vec3& v : scaled) v *= std::ldexp(1, exponent);
      EXPECT_EQ(solve(GetParam(), scaled), t);
    }
    Query swapped = p;
    if (GetParam()) {
      swapped = {p[2], p[3], p[0], p[1], p[6], p[7], p[4], p[5]};
    } else {
      std::swap(swapped[1], swapped[3]);
      std::swap(swapped[5], swapped[7]);
    }
    const std::optional<double> other = solve(GetParam(), swapped);
    ASSERT_EQ(other.has_value(), t.has_value());
    if (t) {
      EXPECT_NEAR(*other, *t, 1e-9);
    }
  }
}

TEST_P(Ccd, hugeMotions) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 1000; ++trial) {
    Query p;
    for (Vec3& v : p) v = Vec3(normal(random), normal(random), normal(random));
    const Vec3 flight = 1e9 * Vec3(normal(random), normal(random), normal(random));
    Query together = p;
    for (int k = 4; k < 8; ++k) together[k] = p[k - 4] + flight;
    EXPECT_FALSE(solve(GetParam(), together)) << "a common flight is no contact";
    Query apart = p;
    for (int k = 4; k < 8; ++k) apart[k] = p[k - 4] + (k < (GetParam() ? 6 : 5) ? flight : Vec3(-flight));
    const std::optional<double> t = solve(GetParam(), apart);
    if (t) {
      EXPECT_LT(distance_at(GetParam(), apart, *t), 1e-4);
    }
  }
}

// A gap of 1e-9 that turns by a right angle with the primitives: no fixed direction separates for long.
Query turning_query(bool edges, double gap) {
  const Vec3 y = Vec3::UnitY();
  const auto turn = [](double r) { return std::pair<Vec3, Vec3>{r * Vec3::UnitX(), r * Vec3::UnitZ()}; };
  Query p;
  const auto set = [&](int k, double r, double height, const Vec3& lift) {
    p[k] = turn(r).first + height * y + lift;
    p[k + 4] = turn(r).second + height * y + Vec3(-lift.z(), lift.y(), lift.x());
  };
  const Vec3 lift(0, 0, gap), none = Vec3::Zero();
  if (edges) {
    set(0, 1, 0, lift);
    set(1, 2, 0, lift);
    set(2, 1.5, -1, none);
    set(3, 1.5, 1, none);
  } else {
    set(0, 1.5, 0, lift);
    set(1, 1, -1, none);
    set(2, 2, -1, none);
    set(3, 1.5, 2, none);
  }
  return p;
}

TEST_P(Ccd, turningThinGap) {
  const double gap = 1e-9;
  Query p = turning_query(GetParam(), gap);
  EXPECT_FALSE(solve(GetParam(), p));
  for (int k : GetParam() ? std::vector<int>{4, 5} : std::vector<int>{4}) p[k].x() += 2 * gap;  // now it passes through
  const std::optional<double> t = solve(GetParam(), p);
  ASSERT_TRUE(t);
  EXPECT_GT(*t, 0.1);
}

TEST_P(Ccd, degenerateInputEndsSafely) {
  const Vec3 o = Vec3::Zero(), x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  // Everything in one point; nothing moves.
  EXPECT_EQ(solve(GetParam(), {o, o, o, o, o, o, o, o}), 0.0);
  EXPECT_EQ(solve(GetParam(), {x, x, x, x, y, y, y, y}), 0.0);
  // Points of one primitive coincide, the other passes by or through.
  EXPECT_FALSE(solve(GetParam(), {z, GetParam() ? z : o, o, o, z, GetParam() ? z : o, o, o}));
  EXPECT_TRUE(solve(GetParam(), {z, GetParam() ? z : o, o, o, -z, GetParam() ? Vec3(-z) : o, o, o}));
  // Touching at the start, at the end, and only at the end.
  if (GetParam()) {
    EXPECT_EQ(solve(true, {-x, x, -y, y, z - x, z + x, -y, y}), 0.0);
    EXPECT_NEAR(solve(true, {z - x, z + x, -y, y, -x, x, -y, y}).value_or(2), 1, 1e-12);
    EXPECT_NEAR(solve(true, {-x, o, x, 2 * x, o, x, x, 2 * x}).value_or(2), 1, 1e-12);  // collinear
    EXPECT_FALSE(solve(true, {-x, x, y - x, y + x, -x, x, y, y + 2 * x}));              // parallel sliding
    EXPECT_TRUE(solve(true, {-x, x, y - x, y + x, -x, x, -y - x, x - y}));              // parallel, coplanar, crossing
  } else {
    EXPECT_EQ(solve(false, {o, -x, x, y, z, -x, x, y}), 0.0);
    EXPECT_NEAR(solve(false, {z, -x, x, y, o, -x, x, y}).value_or(2), 1, 1e-12);
    EXPECT_NEAR(solve(false, {2 * x, -x, x, y, x, -x, x, y}).value_or(2), 1, 1e-12);  // coplanar, at a corner
    EXPECT_FALSE(solve(false, {2 * x, -x, x, y, 2 * x + y, -x, x, y}));               // coplanar, past it
    EXPECT_TRUE(solve(false, {z, -x, o, x, -z, -x, o, x}));                           // triangle without area
    EXPECT_FALSE(solve(false, {z + y, -x, o, x, y - z, -x, o, x}));
  }
  for (double bad : {nan, inf, -inf}) {
    for (int k = 0; k < 8; ++k) {
      Query p{2 * z, 2 * z + x, y, x, 2 * z, 2 * z + x, y, x};
      p[k][k % 3] = bad;
      EXPECT_EQ(solve(GetParam(), p), 0.0);
    }
  }
  EXPECT_EQ(solve(GetParam(), {1e300 * x, 1e300 * y, 1e300 * z, o, o, x, y, z}).value_or(0) >= 0, true);
}

// Motions inside a line or plane, tiny gaps, repeated points: there is an answer, and a shorter motion is safe up to it
// too.
TEST_P(Ccd, answersOnAdversarialInput) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 20000; ++trial) {
    Query p = lattice_query(random, 1 + trial % 3);
    if (trial % 2 == 0)
      for (Vec3& v : p) v.z() = std::ldexp(static_cast<double>(random() % 3), -50);
    if (trial % 5 == 0)
      for (int k = 0; k < 4; ++k) p[k + 4] = p[k] + std::ldexp(1, -40) * (p[k + 4] - p[k]);
    const double t = solve(GetParam(), p).value_or(1);
    ASSERT_GE(t, 0) << trial;
    ASSERT_LE(t, 1) << trial;
    Query part = p;
    for (int k = 0; k < 4; ++k) part[k + 4] = p[k] + 0.5 * t * (p[k + 4] - p[k]);
    if (t > 0) {
      ASSERT_FALSE(solve(GetParam(), part)) << trial;
    }
  }
}

// The line search variant.
TEST_P(Ccd, stepKeepsAPartOfTheGap) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  const std::array<Index, 4> v{0, 1, 2, 3};
  const auto step = [&](const Points& x, const Points& d, double limit) {
    return GetParam() ? ccd::edge_edge_step(x, d, v, limit) : ccd::vertex_face_step(x, d, v, limit);
  };
  int limited = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    Points x(3, 4), d(3, 4);
    for (int k = 0; k < 12; ++k) {
      x(k) = normal(random);
      d(k) = std::ldexp(normal(random), static_cast<int>(random() % 8) - 4);
    }
    Query p;
    for (int k = 0; k < 4; ++k) {
      p[k] = x.col(k);
      p[k + 4] = x.col(k) + d.col(k);
    }
    const double alpha = step(x, d, 1), gap = distance_at(GetParam(), p, 0);
    ASSERT_GT(alpha, 0);
    for (int i = 0; i <= 50; ++i) ASSERT_GT(distance_at(GetParam(), p, alpha * i / 50), 0.0999 * gap);
    EXPECT_EQ(step(x, d, 0.3), std::min(0.3, alpha));
    EXPECT_EQ(step(x, d, alpha / 2), alpha / 2);
    const Points x2 = x * 1024, d2 = d * 1024;
    EXPECT_EQ(step(x2, d2, 1), alpha);
    const std::optional<double> impact = solve(GetParam(), p);
    if (impact) {
      ++limited;
      EXPECT_LT(alpha, *impact);
    }
    // It gets most of the way: no more than 0.3 of the gap is left where something limits.
    if (alpha < 1) {
      EXPECT_LT(distance_at(GetParam(), p, alpha), 0.3 * gap);
    }
  }
  EXPECT_GT(limited, 100);
  Points x = Points::Zero(3, 4);
  EXPECT_EQ(step(x, x, 1), 0);
}

std::pair<Points, Points> positions_and_motion(const Query& p) {
  Points x(3, 4), d(3, 4);
  for (int k = 0; k < 4; ++k) {
    x.col(k) = p[k];
    d.col(k) = p[k + 4] - p[k];
  }
  return {x, d};
}

// Corners of a turning pair close on each other as seen along any fixed direction, while the distance hardly changes:
// thousands of fixed directions, a few turning ones.
TEST_P(Ccd, stepsOfTurningPairsAreWhole) {
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-11}) {
    const auto [x, d] = positions_and_motion(turning_query(GetParam(), gap));
    EXPECT_EQ(GetParam() ? ccd::edge_edge_step(x, d, {0, 1, 2, 3}, 1) : ccd::vertex_face_step(x, d, {0, 1, 2, 3}, 1), 1)
        << gap;
  }
}

// Coplanar pairs that turn within their plane, a vertex beside the border of a triangle and the end of an edge beside
// another one: their planes do not separate, only directions that turn with them.
TEST_P(Ccd, stepsOfTurningBordersAreWhole) {
  for (const double gap : {1e-3, 1e-4}) {
    Query p;
    const auto set = [&](int k, double along, double beside) {  // the border lies along a ray from the axis
      p[k] = along * Vec3::UnitX() + beside * Vec3::UnitZ();
      p[k + 4] = along * Vec3::UnitZ() - beside * Vec3::UnitX();
    };
    if (GetParam()) {
      set(0, 1.5, gap);
      set(1, 1.5, gap + 1);
      set(2, 1, 0);
      set(3, 2, 0);
    } else {
      set(0, 1.5, gap);
      set(1, 1, 0);
      set(2, 2, 0);
      set(3, 1.5, -1);
    }
    const auto [start, d] = positions_and_motion(p);
    EXPECT_EQ(
        GetParam() ? ccd::edge_edge_step(start, d, {0, 1, 2, 3}, 1) : ccd::vertex_face_step(start, d, {0, 1, 2, 3}, 1),
        1)
        << gap;
  }
}

// Parallel edges lying close to each other, as in aligned stacks, slide and part freely.
// Edges of equal meshes that lie above each other, turned, with gaps a million times larger than rounding or more, part
// without hindrance; and they do not cross.
TEST(CcdStep, parallelEdgesWithEndsAboveEachOther) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 1000; ++trial) {
    const Eigen::Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
    const Mat3 R = turn.normalized().toRotationMatrix();
    const double gap = std::pow(10.0, -11 + trial % 5);
    const Vec3 up = R.col(1);
    Points x(3, 4), d = Points::Zero(3, 4);
    for (int k = 0; k < 2; ++k) {
      const Vec3 below = R * Vec3(0.1 * k, 0.3, 0.2);
      x.col(k) = below + gap * up;
      x.col(2 + k) = below;
    }
    const std::array<Index, 4> v{0, 1, 2, 3};
    for (int k = 0; k < 2; ++k) d.col(k) = 1e-3 * up;
    EXPECT_EQ(ccd::edge_edge_step(x, d, v, 1), 1) << trial << " gap " << gap;
    EXPECT_LT(ccd::edge_edge_step(x, Points(-d), v, 1), gap / 1e-3) << trial << " gap " << gap;
  }
}

TEST(CcdStep, nearlyParallelEdges) {
  for (double tilt : {0.0, 1e-16, 1e-12, 1e-8, 1e-4}) {
    Points x(3, 4), d = Points::Zero(3, 4);
    x << 0, 1, 0.1, 1.1, 0, 0, 0, tilt, 0, 0, 1e-4, 1e-4;
    d(0, 2) = d(0, 3) = 0.7;
    EXPECT_EQ(ccd::edge_edge_step(x, d, {0, 1, 2, 3}, 1), 1) << tilt;
    d.row(2) << 0, 0, -1, -1;
    EXPECT_NEAR(ccd::edge_edge_step(x, d, {0, 1, 2, 3}, 1), 0.9e-4, 1e-7) << tilt;
  }
}

}  // namespace
}  // namespace sinew
