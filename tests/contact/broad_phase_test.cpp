#include "sinew/contact/broad_phase.h"

#include <functional>
#include <set>
#include <tuple>

#include "contact_meshes.h"
#include <gtest/gtest.h>

#include "sinew/contact/accd.h"
#include "sinew/contact/ccd.h"
#include "sinew/contact/distance.h"
#include "sinew/contact/intersection.h"
#include "sinew/contact/step_bound.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

using namespace test;

using PairSet = std::set<std::tuple<PairKind, Index, Index>>;

// Spheres around random places; the last ones are obstacles.
ContactScene random_spheres(int count, int obstacles, int levels, double spread, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> place(-spread, spread);
  SceneBuilder builder;
  for (int i = 0; i < count; ++i) {
    const auto [x, t] = octasphere(levels, 0.5, Vec3(place(random), place(random), place(random)));
    builder.add(x, t, i >= count - obstacles);
  }
  return builder.finish();
}

// Bodies side by side, without intersections.
ContactScene row_of_spheres(int count, int levels, double gap) {
  SceneBuilder builder;
  for (int i = 0; i < count; ++i) {
    const auto [x, t] = octasphere(levels, 0.5, Vec3(i * (1 + gap), 0.1 * (i % 2), 0));
    builder.add(x, t, i == count - 1);
  }
  return builder.finish();
}

Points random_motion(const ContactScene& scene, double common, double local, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Vec3> flight(scene.mesh.owner_count);
  for (Vec3& f : flight) f = common * Vec3(normal(random), normal(random), normal(random));
  Points d(3, scene.x.cols());
  for (Index i = 0; i < d.cols(); ++i) {
    d.col(i) = flight[scene.mesh.vertex_owner[i]] + local * Vec3(normal(random), normal(random), normal(random));
  }
  return d;
}

struct Box {
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
  void add(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  double apart(const Box& other) const {
    return std::max((low - other.high).maxCoeff(), (other.low - high).maxCoeff());
  }
};

// Calls f(kind, first, second, vertices) for every pair that the broad phase may report.
template <class F>
void all_pairs(const CollisionMesh& mesh, F&& f) {
  const auto allowed = [&](std::initializer_list<Index> a, std::initializer_list<Index> b) {
    for (Index i : a)
      for (Index j : b)
        if (i == j) return false;
    const Index va = *a.begin(), vb = *b.begin();
    return mesh.owners_may_touch(mesh.vertex_owner[va], mesh.vertex_owner[vb]) &&
           !(mesh.kinematic(va) && mesh.kinematic(vb));
  };
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i)
    for (Index t = 0; t < mesh.triangles.cols(); ++t) {
      const Index v = mesh.vertices[i];
      const auto tri = mesh.triangles.col(t);
      if (allowed({v}, {tri[0], tri[1], tri[2]}))
        f(PairKind::vertex_face, i, t, std::array<Index, 4>{v, tri[0], tri[1], tri[2]});
    }
  for (Index i = 0; i < mesh.edges.cols(); ++i)
    for (Index j = i + 1; j < mesh.edges.cols(); ++j) {
      const auto a = mesh.edges.col(i), b = mesh.edges.col(j);
      if (allowed({a[0], a[1]}, {b[0], b[1]}))
        f(PairKind::edge_edge, i, j, std::array<Index, 4>{a[0], a[1], b[0], b[1]});
    }
}

PairSet found_pairs(const BroadPhase& broad) {
  PairSet pairs;
  for (const auto& batch : broad.batches()) {
    broad.visit(batch, [&](const PrimitivePair& pair) {
      EXPECT_TRUE(pairs.emplace(pair.kind, pair.first, pair.second).second) << "reported twice";
    });
  }
  return pairs;
}

// Every pair whose boxes are within `radius` must be there; none further than a little more may be.
void compare(const ContactScene& scene, const PairSet& found, double radius, double tolerance,
             const std::function<Box(Index)>& vertex_box) {
  std::size_t must = 0, allowed = 0;
  PairSet possible;
  all_pairs(scene.mesh, [&](PairKind kind, Index a, Index b, const std::array<Index, 4>& v) {
    possible.emplace(kind, a, b);
    const int split = kind == PairKind::vertex_face ? 1 : 2;
    Box first, second;
    for (int k = 0; k < 4; ++k) {
      const Box box = vertex_box(v[k]);
      Box& target = k < split ? first : second;
      target.add(box.low);
      target.add(box.high);
    }
    const bool reported = found.contains({kind, a, b});
    const double apart = first.apart(second);
    if (apart <= radius) {
      ++must;
      ASSERT_TRUE(reported);
    }
    if (apart <= radius + tolerance) ++allowed;
  });
  EXPECT_GT(must, 100u);
  EXPECT_LE(found.size(), allowed);
  for (const auto& pair : found) ASSERT_TRUE(possible.contains(pair));
}

TEST(BroadPhaseTest, restingBoxesAgainstBruteForce) {
  ContactScene scene = random_spheres(6, 2, 2, 0.8, 1);
  scene.mesh.may_touch[0 * 6 + 1] = scene.mesh.may_touch[1 * 6 + 0] = 0;  // ignored pair
  scene.mesh.may_touch[2 * 6 + 2] = 0;                                    // no self-contact
  BroadPhase broad(scene.mesh);
  for (double radius : {0.0, 0.01, 0.2}) {
    broad.set_positions(scene.x, radius);
    compare(scene, found_pairs(broad), radius, 1e-5, [&](Index v) {
      Box box;
      box.add(scene.x.col(v));
      return box;
    });
  }
}

// All corners of a pair's difference at time t: 3 x 4, of which the last may repeat.
Eigen::Matrix<double, 3, 4> corners_at(const Points& x, const Points& d, PairKind kind, const std::array<Index, 4>& v,
                                       double t) {
  const auto at = [&](int k) -> Vec3 { return x.col(v[k]) + t * d.col(v[k]); };
  Eigen::Matrix<double, 3, 4> corners;
  if (kind == PairKind::vertex_face) {
    corners << at(0) - at(1), at(0) - at(2), at(0) - at(3), at(0) - at(3);
  } else {
    corners << at(0) - at(2), at(0) - at(3), at(1) - at(2), at(1) - at(3);
  }
  return corners;
}

double distance_at(const Points& x, const Points& d, PairKind kind, const std::array<Index, 4>& v, double t) {
  const auto at = [&](int k) -> Vec3 { return x.col(v[k]) + t * d.col(v[k]); };
  return std::sqrt(kind == PairKind::vertex_face ? point_triangle_distance2(at(0), at(1), at(2), at(3))
                                                 : edge_edge_distance2(at(0), at(1), at(2), at(3)));
}

// Every pair that comes near enough must be there; none may be that moves less than it must, or whose boxes, moved by
// all that two of its vertices move relative to each other, stay apart.
TEST(BroadPhaseTest, movingBoxesAgainstBruteForce) {
  const ContactScene scene = random_spheres(5, 1, 2, 0.8, 2);
  BroadPhase broad(scene.mesh);
  for (const double drift : {0.0, 0.3}) {
    const Points d = random_motion(scene, drift, 0.1, 3);
    for (const auto& [from, to, least] :
         {std::tuple{0.0, 1.0, 0.0}, {0.0, 0.25, 0.0}, {0.5, 0.75, 0.0}, {0.0, 1.0, 0.25}}) {
      const std::vector<double> least_within(scene.mesh.owner_count, least);
      broad.set_motion(scene.x, d, from, to, {{}, true, least_within, least});
      const PairSet found = found_pairs(broad);
      std::size_t must = 0, possible = 0, allowed = 0;
      all_pairs(scene.mesh, [&, from = from, to = to, least = least](PairKind kind, Index a, Index b,
                                                                     const std::array<Index, 4>& v) {
        ++possible;
        const Eigen::Matrix<double, 3, 4> start = corners_at(scene.x, d, kind, v, 0),
                                          motion = corners_at(scene.x, d, kind, v, 1) - start;
        const Vec3 low = motion.rowwise().minCoeff(), high = motion.rowwise().maxCoeff();
        const double length = to * low.cwiseAbs().cwiseMax(high.cwiseAbs()).norm();
        const double margin = ccd::kFreeGap / (1 - ccd::kFreeGap) * length;
        bool near = length >= least - 1e-5;
        for (int c = 0; c < 3; ++c) {
          near &= start.row(c).minCoeff() + std::min(from * low[c], to * low[c]) - margin <= 1e-5;
          near &= start.row(c).maxCoeff() + std::max(from * high[c], to * high[c]) + margin >= -1e-5;
        }
        allowed += near;
        const bool reported = found.contains({kind, a, b});
        EXPECT_LE(reported, near);
        if (!near || to * motion.colwise().norm().maxCoeff() < least) return;
        const double enough = ccd::kFreeGap * distance_at(scene.x, d, kind, v, 0);
        bool comes_near = false;
        for (int k = 0; k <= 32; ++k)
          comes_near |= distance_at(scene.x, d, kind, v, from + (to - from) * k / 32) <= enough;
        must += comes_near;
        EXPECT_LE(comes_near, reported);
      });
      EXPECT_GT(must, 50u);
      EXPECT_LT(allowed, possible / 4);
      EXPECT_LE(found.size(), allowed);
    }
  }
}

TEST(BroadPhaseTest, aCommonFlightAddsNoPairs) {
  const ContactScene scene = random_spheres(3, 0, 3, 3, 4);
  BroadPhase broad(scene.mesh);
  Points d = Points::Zero(3, scene.x.cols());
  broad.set_motion(scene.x, d, 0, 1);
  const std::size_t resting = found_pairs(broad).size();
  d.colwise() = Vec3(3, -2, 7);
  broad.set_motion(scene.x, d, 0, 1);
  EXPECT_LE(found_pairs(broad).size(), resting + resting / 50);
}

class StepBound : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Sizes, StepBound, testing::Values(1e-3, 0.03, 1.0, 30.0, 1e6));

// No pair touches up to the step, whatever the broad phase said; and the step is not needlessly short.
TEST_P(StepBound, isFreeOfContactForAllPairs) {
  const ContactScene scene = row_of_spheres(4, 2, 0.05);
  BroadPhase broad(scene.mesh);
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Points d = random_motion(scene, GetParam(), 0.3 * GetParam(), seed);
    const double alpha = surface_step(scene.mesh, broad, scene.x, d);
    ASSERT_GT(alpha, 0);
    const Points end = scene.x + alpha * d;
    EXPECT_TRUE(find_intersections(scene.mesh, end).empty());
    double bound = 1;
    all_pairs(scene.mesh, [&](PairKind kind, Index, Index, const std::array<Index, 4>& v) {
      const auto at = [&](int k) -> Vec3 { return scene.x.col(v[k]); };
      const auto to = [&](int k) -> Vec3 { return end.col(v[k]); };
      if (kind == PairKind::vertex_face) {
        ASSERT_FALSE(ccd::vertex_face(at(0), at(1), at(2), at(3), to(0), to(1), to(2), to(3)));
        bound = std::min(bound, ccd::vertex_face_step(scene.x, d, v, bound));
      } else {
        ASSERT_FALSE(ccd::edge_edge(at(0), at(1), at(2), at(3), to(0), to(1), to(2), to(3)));
        bound = std::min(bound, ccd::edge_edge_step(scene.x, d, v, bound));
      }
    });
    EXPECT_GE(alpha, bound);
    EXPECT_LE(alpha, 1);
    if (GetParam() >= 1) {
      EXPECT_LT(alpha, 1);
    }
  }
}

TEST(StepBoundTest, doesNotDependOnThreadsScaleOrEarlierCalls) {
  const ContactScene scene = row_of_spheres(4, 4, 0.02);
  const Points d = random_motion(scene, 0.2, 0.02, 7), other = random_motion(scene, 5, 1, 8);
  BroadPhase broad(scene.mesh);
  const double alpha = surface_step(scene.mesh, broad, scene.x, d);
  EXPECT_LT(alpha, 1);
  surface_step(scene.mesh, broad, scene.x + 0.001 * other, other);
  broad.set_positions(scene.x + other, 0.1);
  EXPECT_EQ(surface_step(scene.mesh, broad, scene.x, d), alpha);
  for (int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    BroadPhase fresh(scene.mesh);
    EXPECT_EQ(surface_step(scene.mesh, fresh, scene.x, d), alpha);
  }
  for (int exponent : {-20, 15}) {
    const double scale = std::ldexp(1, exponent);
    BroadPhase fresh(scene.mesh);
    EXPECT_EQ(surface_step(scene.mesh, fresh, scale * scene.x, scale * d), alpha);
  }
}

TEST(StepBoundTest, specialDirections) {
  const ContactScene scene = row_of_spheres(2, 2, 0.1);
  BroadPhase broad(scene.mesh);
  Points d = Points::Zero(3, scene.x.cols());
  EXPECT_EQ(surface_step(scene.mesh, broad, scene.x, d), 1);
  // A kinematic body closes in: it limits the step as if it were the other one that moved.
  for (Index v = scene.mesh.dynamic_count; v < d.cols(); ++v) d(0, v) = -1;
  const double alpha = surface_step(scene.mesh, broad, scene.x, d);
  EXPECT_GT(alpha, 0.05);
  EXPECT_LT(alpha, 0.11);
  d(1, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(surface_step(scene.mesh, broad, scene.x, d), 0);
  // Touching at the start.
  Points touching = scene.x;
  touching.col(0) = touching.col(scene.mesh.dynamic_count + 3);
  EXPECT_EQ(surface_step(scene.mesh, broad, touching, Points::Ones(3, d.cols())), 0);
}

TEST(PlaneStepTest, fixedMovingAndTurningPlanes) {
  const Vec3 y = Vec3::UnitY(), o = Vec3::Zero();
  const PlaneState ground{o, y};
  EXPECT_EQ(plane_step(y, 5 * y, ground, ground, 1), 1);
  EXPECT_EQ(plane_step(y, -0.5 * y, ground, ground, 1), 1);
  EXPECT_NEAR(plane_step(y, -2 * y, ground, ground, 1), 0.45, 1e-12);
  EXPECT_NEAR(plane_step(y, o, ground, {2 * y, y}, 1), 0.45, 1e-12);
  EXPECT_EQ(plane_step(y, 3 * y, ground, {2 * y, y}, 1), 1);
  EXPECT_EQ(plane_step(o, y, ground, ground, 1), 0);
  EXPECT_EQ(plane_step(-y, y, ground, ground, 1), 0);
  EXPECT_EQ(plane_step(y, -2 * y, ground, ground, 0.25), 0.25);
  EXPECT_EQ(plane_step(Vec3(0, std::nan(""), 0), y, ground, ground, 1), 0);

  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const auto draw = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  for (int trial = 0; trial < 5000; ++trial) {
    const PlaneState now{draw(), draw().normalized()}, end{draw(), draw().normalized()};
    const Vec3 x = draw(), d = draw();
    const auto height = [&](double t) {
      return ((1 - t) * now.normal + t * end.normal).dot(x + t * d - (1 - t) * now.point - t * end.point);
    };
    const double alpha = plane_step(x, d, now, end, 1);
    if (height(0) <= 0) {
      EXPECT_EQ(alpha, 0);
      continue;
    }
    for (int i = 0; i <= 100; ++i) ASSERT_GT(height(alpha * i / 100), 0.0999 * height(0));
    if (alpha < 1) {
      ASSERT_NEAR(height(alpha), 0.1 * height(0), 0.02 * height(0));
    }
  }
}

}  // namespace
}  // namespace sinew
