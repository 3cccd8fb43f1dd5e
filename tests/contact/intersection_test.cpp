#include "sinew/contact/intersection.h"

#include <set>

#include "ccd_queries.h"
#include "contact_meshes.h"
#include "support/paths.h"
#include <gtest/gtest.h>

#include "sinew/contact/intersection_predicates.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/formats/read.h"

namespace sinew {
namespace {

using namespace test;

using Lattice = std::array<long long, 3>;

Vec3 to_double(const Lattice& p, double scale = 1) {
  return scale * Vec3(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
}

int exact_orientation(const Lattice& a, const Lattice& b, const Lattice& c, const Lattice& d) {
  __extension__ using Wide = __int128;
  Wide det = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    det += Wide(a[k] - d[k]) * (Wide(b[i] - d[i]) * (c[j] - d[j]) - Wide(b[j] - d[j]) * (c[i] - d[i]));
  }
  return det > 0 ? 1 : det < 0 ? -1 : 0;
}

TEST(Predicates, orientationIsExactOnLattices) {
  std::mt19937_64 random(1);
  int zeros = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    const long long size = 1ll << (1 + trial % 38);
    std::uniform_int_distribution<long long> coordinate(-size, size);
    std::array<Lattice, 4> p;
    for (Lattice& v : p)
      for (long long& c : v) c = coordinate(random);
    if (trial % 3 != 0) {  // (nearly) coplanar: a + s (b - a) + t (c - a) with small whole s, t, then off by one or not
      const long long s = static_cast<long long>(random() % 5) - 2, t = static_cast<long long>(random() % 5) - 2;
      for (int k = 0; k < 3; ++k) p[3][k] = p[0][k] + s * (p[1][k] - p[0][k]) + t * (p[2][k] - p[0][k]);
      if (trial % 3 == 1) p[3][trial % 2] += static_cast<long long>(random() % 3) - 1;
    }
    const int expected = exact_orientation(p[0], p[1], p[2], p[3]);
    zeros += expected == 0;
    for (double scale : {1.0, std::ldexp(1, -70)}) {
      ASSERT_EQ(
          orientation(to_double(p[0], scale), to_double(p[1], scale), to_double(p[2], scale), to_double(p[3], scale)),
          expected);
    }
  }
  EXPECT_GT(zeros, 50000);
}

// Differences of these are not exact in doubles.
TEST(Predicates, orientationIsExactWhereDifferencesRound) {
  const double tiny = std::ldexp(1, -80);
  const Vec3 a(1, 0, 0), b(0, 1, 0), c(-1, -1, 0);
  EXPECT_EQ(orientation(a, b, c, Vec3(0.25, 0.25, tiny)), -orientation(a, b, c, Vec3(0.25, 0.25, -tiny)));
  EXPECT_NE(orientation(a, b, c, Vec3(0.25, 0.25, tiny)), 0);
  EXPECT_EQ(orientation(a, b, c, Vec3(0.25, 0.25, 0)), 0);
  const Vec3 lifted(tiny, 0, 1);
  EXPECT_NE(orientation(Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), lifted), 0);
  EXPECT_EQ(projected_orientation(Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(3, 3, 0), 2), 0);
  EXPECT_EQ(projected_orientation(Vec3(tiny, 0, 0), Vec3(1, 1, 0), Vec3(3, 3, 0), 2),
            -projected_orientation(Vec3(-tiny, 0, 0), Vec3(1, 1, 0), Vec3(3, 3, 0), 2));
}

TEST(Predicates, segmentAndTriangleBySpecialPositions) {
  const Vec3 a(0, 0, 0), b(4, 0, 0), c(0, 4, 0);
  const auto meets = [&](const Vec3& p, const Vec3& q) {
    const bool result = segment_meets_triangle(p, q, a, b, c);
    EXPECT_EQ(segment_meets_triangle(q, p, a, b, c), result);
    EXPECT_EQ(segment_meets_triangle(p, q, c, a, b), result);
    EXPECT_EQ(segment_meets_triangle(p, q, c, b, a), result);
    return result;
  };
  EXPECT_TRUE(meets({1, 1, 1}, {1, 1, -1}));      // through the inside
  EXPECT_FALSE(meets({3, 3, 1}, {3, 3, -1}));     // past it
  EXPECT_TRUE(meets({2, 2, 1}, {2, 2, -1}));      // through an edge
  EXPECT_TRUE(meets({4, 0, 1}, {4, 0, -1}));      // through a corner
  EXPECT_TRUE(meets({1, 1, 0}, {1, 1, 1}));       // an end on the inside
  EXPECT_TRUE(meets({4, 0, 0}, {5, 0, 1}));       // an end on a corner
  EXPECT_FALSE(meets({1, 1, 0.5}, {1, 1, 1}));    // one side
  EXPECT_FALSE(meets({1, 1, 0.5}, {2, 1, 0.5}));  // parallel
  EXPECT_TRUE(meets({1, 1, 0}, {1.5, 1, 0}));     // coplanar, inside
  EXPECT_TRUE(meets({-1, 1, 0}, {5, 1, 0}));      // coplanar, across
  EXPECT_TRUE(meets({4, 0, 0}, {6, 0, 0}));       // coplanar, collinear with an edge, at a corner
  EXPECT_FALSE(meets({5, 0, 0}, {6, 0, 0}));      // the same, apart
  EXPECT_FALSE(meets({3, 3, 0}, {5, 1, 0}));      // coplanar, apart
  EXPECT_TRUE(meets({1, 1, 0}, {1, 1, 0}));       // a point inside
  EXPECT_FALSE(meets({3, 3, 0}, {3, 3, 0}));
  // Triangles without area are segments.
  EXPECT_TRUE(segment_meets_triangle({1, 0, -1}, {1, 0, 1}, {0, 0, 0}, {1, 0, 0}, {3, 0, 0}));
  EXPECT_FALSE(segment_meets_triangle({1, 1, -1}, {1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {3, 0, 0}));
  EXPECT_FALSE(segment_meets_triangle({5, 0, -1}, {5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {3, 0, 0}));
  EXPECT_TRUE(segment_meets_triangle({1, 1, 1}, {3, 3, 3}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}));
  EXPECT_FALSE(segment_meets_triangle({1, 1, 1}, {3, 3, 3}, {2, 2, 2.5}, {2, 2, 2.5}, {2, 2, 2.5}));
}

// A point of the segment inside the triangle, both chosen on a lattice: they meet exactly.
TEST(Predicates, commonPointsAreFound) {
  std::mt19937_64 random(2);
  std::uniform_int_distribution<int> coordinate(-8, 8);
  const auto draw = [&] { return Vec3(4 * coordinate(random), 4 * coordinate(random), 4 * coordinate(random)); };
  for (int trial = 0; trial < 50000; ++trial) {
    const Vec3 a = draw(), b = draw(), c = draw(), q = draw();
    const double s = (random() % 5) / 4.0, t = (1 - s) * (random() % 5) / 4.0;
    const Vec3 common = (1 - s - t) * a + s * b + t * c;
    const Vec3 p = q + static_cast<double>(1 + random() % 3) * (common - q);
    ASSERT_TRUE(segment_meets_triangle(p, q, a, b, c));
  }
}

std::vector<std::pair<Index, Index>> brute_force(const CollisionMesh& mesh, const Points& x) {
  std::vector<std::pair<Index, Index>> found;
  for (Index e = 0; e < mesh.edges.cols(); ++e)
    for (Index t = 0; t < mesh.triangles.cols(); ++t) {
      const auto a = mesh.edges.col(e);
      const auto b = mesh.triangles.col(t);
      bool shared = false;
      for (int i = 0; i < 6; ++i) shared |= a[i % 2] == b[i / 2];
      const bool both = mesh.kinematic(a[0]) && mesh.kinematic(b[0]);
      if (!shared && !both && mesh.owners_may_touch(mesh.vertex_owner[a[0]], mesh.vertex_owner[b[0]]) &&
          segment_meets_triangle(x.col(a[0]), x.col(a[1]), x.col(b[0]), x.col(b[1]), x.col(b[2])))
        found.emplace_back(e, t);
    }
  return found;
}

TEST(Intersections, equalBruteForceForAnyThreads) {
  SceneBuilder builder;
  for (int i = 0; i < 5; ++i) {
    const auto [x, t] = octasphere(2, 0.5, Vec3(0.35 * i, 0.2 * (i % 2), 0.1 * (i % 3)));
    builder.add(x, t, i >= 3);
  }
  ContactScene scene = builder.finish();
  scene.mesh.may_touch[0 * 5 + 1] = scene.mesh.may_touch[1 * 5 + 0] = 0;
  const auto expected = brute_force(scene.mesh, scene.x);
  EXPECT_GT(expected.size(), 50u);
  for (int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    const std::vector<Intersection> found = find_intersections(scene.mesh, scene.x);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(std::pair(found[i].edge, found[i].triangle), expected[i]);
      EXPECT_EQ(found[i].edge_owner, scene.mesh.vertex_owner[scene.mesh.edges(0, found[i].edge)]);
      EXPECT_EQ(found[i].triangle_owner, scene.mesh.vertex_owner[scene.mesh.triangles(0, found[i].triangle)]);
    }
  }
}

TEST(Intersections, touchingBoxesCountAndTinyGapsDoNot) {
  for (double gap : {0.0, 1e-15}) {
    SceneBuilder builder;
    const auto [x, t] = height_field(3, 1, [](double, double) { return 0.0; });
    const auto [y, u] = height_field(2, 0.7, [&](double, double) { return gap; });
    builder.add(x, t);
    builder.add(y, u);
    const ContactScene scene = builder.finish();
    EXPECT_EQ(find_intersections(scene.mesh, scene.x).empty(), gap > 0);
  }
}

TEST(Intersections, positionsThatAreNotFiniteAreAnError) {
  SceneBuilder builder;
  const auto [x, t] = octasphere(0, 1, Vec3::Zero());
  builder.add(x, t);
  ContactScene scene = builder.finish();
  scene.x(1, 2) = std::nan("");
  EXPECT_THROW(find_intersections(scene.mesh, scene.x), SimulationError);
}

TEST(Intersections, pointsOfCollapsedEdgesAreFinite) {
  CollisionMesh mesh;
  mesh.edges.resize(2, 1);
  mesh.edges << 0, 1;
  mesh.triangles.resize(3, 1);
  mesh.triangles << 2, 3, 4;
  const Points x = Points::Constant(3, 5, 0.5);
  EXPECT_EQ(intersection_point(mesh, x, {.edge = 0, .triangle = 0, .edge_owner = 0, .triangle_owner = 0}),
            Vec3::Constant(0.5));
}

TEST(Intersections, verticesBelowPlanes) {
  SceneBuilder builder;
  const auto [x, t] = octasphere(1, 1, Vec3(0, 0.5, 0));
  builder.add(x, t);
  ContactScene scene = builder.finish();
  scene.mesh.planes.push_back({});
  scene.mesh.planes.push_back({});
  const std::vector<PlaneState> planes{{Vec3::Zero(), Vec3::UnitY()}, {Vec3(0, 1.5, 0), -Vec3::UnitY()}};
  const std::vector<BelowPlane> below = find_below_planes(scene.mesh, scene.x, planes);
  int on_top = 0;
  for (const BelowPlane& b : below) {
    EXPECT_LE(b.height, 0);
    EXPECT_EQ(b.height, planes[b.plane].normal.dot(scene.x.col(b.vertex) - planes[b.plane].point));
    on_top += b.plane == 1;
  }
  EXPECT_EQ(on_top, 1);  // the top vertex touches the ceiling
  EXPECT_GE(below.size(), 2u);
}

// Pairs of triangles with an intersecting edge.
std::size_t triangle_pairs(const CollisionMesh& mesh, const std::vector<Intersection>& found) {
  std::set<std::pair<Index, Index>> pairs;
  for (const Intersection& hit : found)
    for (Index t = 0; t < mesh.triangles.cols(); ++t) {
      int common = 0;
      for (int i = 0; i < 6; ++i) common += mesh.triangles(i % 3, t) == mesh.edges(i / 3, hit.edge);
      if (common == 2) pairs.insert(std::minmax(t, hit.triangle));
    }
  return pairs.size();
}

TEST(Intersections, surfacesOfTheTestData) {
  const std::filesystem::path folder = std::filesystem::path(data_folder()) / "surfaces";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no surfaces at " << folder;
  const auto check = [&](const TriMesh& surface) {
    SceneBuilder builder;
    builder.add(surface.vertices, surface.triangles);
    const ContactScene scene = builder.finish();
    return triangle_pairs(scene.mesh, find_intersections(scene.mesh, scene.x));
  };
  EXPECT_EQ(check(read_tri_mesh(folder / "defective/wingnut.obj")), 3u);
  EXPECT_GT(check(read_tri_mesh(folder / "defective/two-cubes-intersecting.ply")), 10u);
  for (const char* name : {"goathead.obj", "penguin.obj", "scorpion_low_resolution.obj"})
    EXPECT_EQ(check(read_tri_mesh(folder / name)), 0u) << name;
  EXPECT_EQ(check(read_tri_mesh(folder / "bunny.ply")), 0u);
}

}  // namespace
}  // namespace sinew
