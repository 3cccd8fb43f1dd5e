#include <cmath>
#include <random>
#include <set>

#include "contact_meshes.h"
#include <gtest/gtest.h>

#include "sinew/contact/candidates.h"
#include "sinew/contact/stencil_build.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

using namespace test;

constexpr double kDhat = 0.05;

// Two wavy sheets close to each other, a small one folded upon itself, a kinematic sheet below, and two planes.
ContactScene stacked_sheets() {
  SceneBuilder builder;
  const auto wave = [](double u, double v) { return 0.05 * std::sin(9 * u) * std::cos(7 * v); };
  const auto [a, ta] = height_field(12, 1, wave);
  const auto [b, tb] = height_field(9, 1, [&](double u, double v) { return 0.04 + wave(u, v); });
  auto [c, tc] = height_field(10, 1, [](double, double) { return 0.0; });
  for (Index i = 0; i < c.cols(); ++i) {  // rolled up once and a quarter
    const double angle = 2.5 * M_PI * c(0, i), radius = 0.2 + 0.03 * c(0, i);
    c.col(i) = Vec3(0.5 + radius * std::cos(angle), c(1, i), 0.5 + radius * std::sin(angle));
  }
  const auto [d, td] = height_field(5, 1, [](double, double) { return -0.08; });
  builder.add(a, ta);
  builder.add(b, tb);
  builder.add(c, tc);
  builder.add(d, td, true);
  ContactScene scene = builder.finish();
  scene.mesh.planes.push_back({});
  scene.mesh.planes.push_back({1, 0});
  return scene;
}

std::vector<PlaneState> planes() {
  return {{Vec3(0, 0, -0.03), Vec3::UnitZ()}, {Vec3(-0.02, 0, 0), Vec3::UnitX()}};
}

// All pairs, no acceleration.
ContactSet brute_force(const CollisionMesh& mesh, const Points& x, double dhat) {
  ContactSet set;
  const auto keep = [&](const StencilAtDistance& contact) {
    if (!(contact.distance2 < dhat * dhat)) return;
    set.stencils.push_back(contact.stencil);
    set.min_distance = std::min(set.min_distance, std::sqrt(contact.distance2));
  };
  const auto touchable = [&](Index a, Index b) {
    return mesh.owners_may_touch(mesh.vertex_owner[a], mesh.vertex_owner[b]) &&
           !(mesh.kinematic(a) && mesh.kinematic(b));
  };
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i) {
    const Index v = mesh.vertices[i];
    for (Index t = 0; t < mesh.triangles.cols(); ++t)
      if ((mesh.triangles.col(t).array() != v).all() && touchable(v, mesh.triangles(0, t)))
        keep(point_triangle_stencil(mesh, i, t, x));
    for (Index p = 0; p < static_cast<Index>(mesh.planes.size()); ++p) {
      if (mesh.kinematic(v) || !mesh.owners_may_touch(mesh.vertex_owner[v], mesh.planes[p].owner)) continue;
      double height = 0;
      StencilAtDistance contact = point_plane_stencil(mesh, i, p, planes()[p], x, &height);
      if (height < 0) contact.distance2 = 0;
      keep(contact);
    }
  }
  for (Index i = 0; i < mesh.edges.cols(); ++i)
    for (Index j = i + 1; j < mesh.edges.cols(); ++j) {
      const auto a = mesh.edges.col(i), b = mesh.edges.col(j);
      if (a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] && touchable(a[0], b[0]))
        keep(edge_edge_stencil(mesh, i, j, x));
    }
  merge_equal(set.stencils);
  return set;
}

void expect_same(const ContactSet& a, const ContactSet& b) {
  EXPECT_EQ(a.min_distance, b.min_distance);
  ASSERT_EQ(a.stencils.size(), b.stencils.size());
  for (std::size_t i = 0; i < a.stencils.size(); ++i) {
    const ContactStencil &s = a.stencils[i], &t = b.stencils[i];
    ASSERT_TRUE(s.kind == t.kind && s.v == t.v && s.plane == t.plane);
    ASSERT_EQ(s.weight, t.weight);
    ASSERT_EQ(s.mollifier_eps, t.mollifier_eps);
  }
}

Points smooth_noise(const ContactScene& scene, double common, double local, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<Vec3> flight(scene.mesh.owner_count), wave(scene.mesh.owner_count);
  for (Vec3& f : flight) f = common * Vec3(normal(random), normal(random), normal(random));
  for (Vec3& w : wave) w = 5 * Vec3(normal(random), normal(random), normal(random));
  Points d(3, scene.x.cols());
  for (Index i = 0; i < d.cols(); ++i) {
    const Index owner = scene.mesh.vertex_owner[i];
    d.col(i) = flight[owner] +
               local * (Vec3::Constant(wave[owner].dot(scene.x.col(i))) + Vec3(0, 1, 2)).array().sin().matrix();
  }
  return d;
}

TEST(ContactDetectorTest, cachedSetsEqualFreshAndBruteForceOnes) {
  const ContactScene scene = stacked_sheets();
  ContactDetector detector(scene.mesh);
  std::mt19937_64 random(1);
  Points x = scene.x;
  std::size_t kinds[6] = {};
  const int steps = 60;
  for (int step = 0; step < steps; ++step) {
    const double size = step % 3 == 0 ? 0.1 : 0.01;  // of dhat
    x += smooth_noise(scene, size * kDhat, size * kDhat, random);
    const ContactSet& cached = detector.active_set(x, planes(), kDhat);
    for (const ContactStencil& s : cached.stencils) ++kinds[static_cast<int>(s.kind)];
    ContactDetector fresh(scene.mesh);
    expect_same(cached, fresh.active_set(x, planes(), kDhat));
    if (step % 10 == 0) expect_same(cached, brute_force(scene.mesh, x, kDhat));
  }
  for (std::size_t count : kinds) EXPECT_GT(count, 10u);
  EXPECT_LT(detector.rebuild_count(), steps / 2);
  EXPECT_GT(detector.rebuild_count(), 1u);
}

TEST(ContactDetectorTest, jumpsOtherDistancesAndFlightsAreSeen) {
  const ContactScene scene = stacked_sheets();
  ContactDetector detector(scene.mesh);
  Points x = scene.x;
  for (double dhat : {kDhat, 0.01 * kDhat, 1.5 * kDhat, 4 * kDhat, kDhat})
    expect_same(detector.active_set(x, planes(), dhat), brute_force(scene.mesh, x, dhat));
  // One vertex alone comes near.
  x.col(5) = x.col(300) + Vec3(0, 0, 0.1 * kDhat);
  expect_same(detector.active_set(x, planes(), kDhat), brute_force(scene.mesh, x, kDhat));
  // All fly together: the list stays good.
  const std::size_t rebuilds = detector.rebuild_count();
  x.colwise() += Vec3(100, -20, 7);
  expect_same(detector.active_set(x, planes(), kDhat), brute_force(scene.mesh, x, kDhat));
  EXPECT_EQ(detector.rebuild_count(), rebuilds);
  // One body leaves, then comes back elsewhere.
  for (double shift : {50.0, -50.05}) {
    for (Index i = 0; i < x.cols(); ++i)
      if (scene.mesh.vertex_owner[i] == 1) x(1, i) += shift;
    expect_same(detector.active_set(x, planes(), kDhat), brute_force(scene.mesh, x, kDhat));
  }
}

// Steps of a detector with lists are those of one that looks at everything: whatever moves, how far, and where.
TEST(ContactDetectorTest, stepsByListsEqualFreshOnes) {
  const ContactScene scene = stacked_sheets();
  ContactDetector detector(scene.mesh);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-2.5, 1.5);
  const std::vector<PlaneState> far{{Vec3(0, 0, -1e3), Vec3::UnitZ()}, {Vec3(-1e3, 0, 0), Vec3::UnitX()}};
  Points x = scene.x;
  std::size_t limited = 0;
  const int steps = 80;
  for (int step = 0; step < steps; ++step) {
    detector.active_set(x, far, kDhat);
    const double size = kDhat * std::pow(10, exponent(random));
    Points d = smooth_noise(scene, step % 4 == 0 ? size : 0, 0.1 * size, random);
    if (step % 3 == 1) {  // one vertex alone moves much further
      const Index v = scene.mesh.vertices[static_cast<std::size_t>(step) * 7 % scene.mesh.vertices.size()];
      if (!scene.mesh.kinematic(v)) d.col(v) += 5 * size * Vec3(0.3, -0.2, 1);
    }
    if (step % 3 == 2) {  // everything turns
      const Eigen::AngleAxisd turn(0.02 * step, Vec3(1, 2, -1).normalized());
      d += (turn.toRotationMatrix() - Mat3::Identity()) * x;
    }
    const double alpha = detector.max_step(x, d, far, far);
    ContactDetector fresh(scene.mesh);
    ASSERT_EQ(alpha, fresh.max_step(x, d, far, far)) << "step " << step;
    if (alpha < 1) ++limited;
    x += 0.9 * alpha * d;
    expect_same(detector.active_set(x, far, kDhat), fresh.active_set(x, far, kDhat));
  }
  EXPECT_GT(limited, 10u);
  EXPECT_LT(limited, steps - 10u);
  EXPECT_LT(detector.sweep_count(), steps - 10u);
  EXPECT_GT(detector.sweep_count(), 10u);
}

// The same where only a body's own pairs can limit the step, and few of its vertices move.
TEST(ContactDetectorTest, stepsOfPartsOfABodyEqualFreshOnes) {
  ContactScene scene = stacked_sheets();
  std::fill(scene.mesh.may_touch.begin(), scene.mesh.may_touch.end(), 0);
  scene.mesh.may_touch[2 * 4 + 2] = 1;  // the rolled sheet
  scene.mesh.planes.clear();
  ContactDetector detector(scene.mesh);
  for (int i = 0; i < 6; ++i) detector.active_set(scene.x, {}, 0.1 * kDhat);
  std::size_t limited = 0;
  for (const Index v : scene.mesh.vertices) {
    if (scene.mesh.vertex_owner[v] != 2) continue;
    Points d = Points::Zero(3, scene.x.cols());
    d.col(v) = 2 * (Vec3(0.5, scene.x(1, v), 0.5) - scene.x.col(v));  // through the opposite side
    const double alpha = detector.max_step(scene.x, d, {}, {});
    ContactDetector fresh(scene.mesh);
    ASSERT_EQ(alpha, fresh.max_step(scene.x, d, {}, {})) << "vertex " << v;
    if (alpha < 1) ++limited;
  }
  EXPECT_GT(limited, 20u);
}

// Of a body so large that what moves is a small part of it: a few vertices go through the opposite side, each searched
// for itself.
TEST(ContactDetectorTest, stepsOfFewVerticesOfManyEqualFreshOnes) {
  SceneBuilder builder;
  const auto [points, triangles] = octasphere(4, 0.5, Vec3(1, 2, 3));
  builder.add(points, triangles);
  const ContactScene scene = builder.finish();
  ContactDetector detector(scene.mesh);
  for (int i = 0; i < 6; ++i) detector.active_set(scene.x, {}, 0.1 * kDhat);
  std::mt19937_64 random(3);
  std::uniform_int_distribution<Index> any(0, static_cast<Index>(scene.x.cols()) - 1);
  std::uniform_real_distribution<double> length(0.2, 3);
  std::size_t limited = 0, whole = 0;
  for (int round = 0; round < 60; ++round) {
    Points d = Points::Zero(3, scene.x.cols());
    for (int k = 0; k < 1 + round % 4; ++k) {
      const Index v = any(random);
      d.col(v) = length(random) * (Vec3(1, 2, 3) - scene.x.col(v));
    }
    const double alpha = detector.max_step(scene.x, d, {}, {});
    ContactDetector fresh(scene.mesh);
    ASSERT_EQ(alpha, fresh.max_step(scene.x, d, {}, {})) << round;
    (alpha < 1 ? limited : whole) += 1;
  }
  EXPECT_GT(limited, 20u);
  EXPECT_GT(whole, 5u);
}

// A body that turns and a corner of it that moves by itself: only the corner is searched.
TEST(ContactDetectorTest, onlyWhatLeavesItsPlaceInTheBodyIsSearched) {
  const ContactScene scene = stacked_sheets();
  ContactDetector detector(scene.mesh);
  for (int i = 0; i < 6; ++i) detector.active_set(scene.x, planes(), kDhat);  // lists find their length
  const std::size_t rebuilds = detector.rebuild_count();
  Points x = scene.x;
  for (int step = 1; step <= 20; ++step) {
    const Eigen::AngleAxisd turn(0.1 * step, Vec3(1, 2, -1).normalized());
    for (Index i = 0; i < x.cols(); ++i) {
      x.col(i) = scene.x.col(i) + 100 * Vec3(scene.mesh.vertex_owner[i], 0, 0);
      if (i == 3) x.col(i) += 0.3 * step * kDhat * Vec3(0.2, 0.1, 1);
      x.col(i) = turn * Vec3(x.col(i));
    }
    expect_same(detector.active_set(x, planes(), kDhat), brute_force(scene.mesh, x, kDhat));
  }
  EXPECT_LE(detector.rebuild_count(), rebuilds + 1);
  EXPECT_GT(detector.refresh_count(), 2u);
}

TEST(ContactDetectorTest, doesNotDependOnThreadsOrScale) {
  const ContactScene scene = stacked_sheets();
  ContactDetector detector(scene.mesh);
  const ContactSet set = detector.active_set(scene.x, planes(), kDhat);
  for (int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    ContactDetector other(scene.mesh);
    expect_same(other.active_set(scene.x, planes(), kDhat), set);
  }
  ContactScene small = stacked_sheets();
  const double scale = std::ldexp(1, -12);
  for (double& l : small.mesh.edge_rest_length2) l *= scale * scale;
  std::vector<PlaneState> scaled = planes();
  for (PlaneState& p : scaled) p.point *= scale;
  ContactDetector other(small.mesh);
  const ContactSet& tiny = other.active_set(scale * small.x, scaled, scale * kDhat);
  ASSERT_EQ(tiny.stencils.size(), set.stencils.size());
  EXPECT_EQ(tiny.min_distance, scale * set.min_distance);
  for (std::size_t i = 0; i < set.stencils.size(); ++i) EXPECT_EQ(tiny.stencils[i].v, set.stencils[i].v);
}

TEST(ContactDetectorTest, restrictionsOfOwners) {
  ContactScene scene = stacked_sheets();
  scene.mesh.may_touch[0 * 4 + 1] = scene.mesh.may_touch[1 * 4 + 0] = 0;
  scene.mesh.may_touch[2 * 4 + 2] = 0;
  ContactDetector detector(scene.mesh);
  const ContactSet& set = detector.active_set(scene.x, planes(), kDhat);
  expect_same(set, brute_force(scene.mesh, scene.x, kDhat));
  for (const ContactStencil& s : set.stencils) {
    std::set<Index> owners;
    for (int k = 0; k < s.vertex_count(); ++k) owners.insert(scene.mesh.vertex_owner[s.v[k]]);
    EXPECT_FALSE(owners == (std::set<Index>{0, 1}));
    EXPECT_FALSE(owners == (std::set<Index>{2}) && s.kind != StencilKind::point_plane);
    EXPECT_FALSE(owners == (std::set<Index>{3}));
  }
}

TEST(ContactDetectorTest, emptyMeshesAndBadPositions) {
  CollisionMesh nothing;
  ContactDetector none(nothing);
  const Points x(3, 0);
  EXPECT_TRUE(none.active_set(x, {}, 1).stencils.empty());
  EXPECT_EQ(none.active_set(x, {}, 1).min_distance, std::numeric_limits<double>::infinity());
  EXPECT_EQ(none.max_step(x, x, {}, {}), 1);

  const ContactScene scene = stacked_sheets();
  ContactDetector detector(scene.mesh);
  Points bad = scene.x;
  bad(2, 17) = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2; ++i) {
    try {
      detector.active_set(bad, planes(), kDhat);
      FAIL() << "no error";
    } catch (const SimulationError& error) {
      EXPECT_STREQ(error.what(), "the position of surface vertex 17 of 'body 0' is not finite");
    }
    detector.active_set(scene.x, planes(), kDhat);  // the second round finds a list to reuse
  }
}

TEST(ContactDetectorTest, maxStepIsTheSmallerOfSurfacesAndPlanes) {
  const ContactScene scene = stacked_sheets();
  ContactDetector detector(scene.mesh);
  const std::vector<PlaneState> low{{Vec3(0, 0, -1), Vec3::UnitZ()}, {Vec3(-2, 0, 0), Vec3::UnitX()}};
  Points d = Points::Zero(3, scene.x.cols());
  EXPECT_EQ(detector.max_step(scene.x, d, low, low), 1);
  d.colwise() = Vec3(-4, 0, 0);
  // Together they only meet the second plane, at x = -2.
  EXPECT_NEAR(detector.max_step(scene.x, d, low, low), 0.45, 1e-9);
  EXPECT_NEAR(detector.max_step(scene.x, d, low, {{low[0], {Vec3(-4, 0, 0), Vec3::UnitX()}}}), 0.9, 1e-9);
  for (Index i = 0; i < d.cols(); ++i) d.col(i) = scene.mesh.vertex_owner[i] == 1 ? Vec3(0, 0, -0.08) : Vec3(0, 0, 0);
  const double alpha = detector.max_step(scene.x, d, low, low);
  EXPECT_GT(alpha, 0.2);
  EXPECT_LT(alpha, 0.5);
}

TEST(ContactSetTest, sortAndMergeEqualsTheReference) {
  std::mt19937_64 random(4);
  std::uniform_int_distribution<Index> vertex(0, 15);
  for (int count : {0, 1, 100, 300, 5000}) {
    ContactSet set;
    for (int i = 0; i < count; ++i) {
      ContactStencil s;
      s.kind = static_cast<StencilKind>(random() % 6);
      for (int k = 0; k < s.vertex_count(); ++k) s.v[k] = vertex(random);
      canonicalize(s);
      if (s.kind == StencilKind::point_plane) s.plane = static_cast<Index>(random() % 3);
      s.weight = std::ldexp(static_cast<double>(random()), -70);
      set.stencils.push_back(s);
    }
    ContactSet reference = set, shuffled = set;
    std::shuffle(shuffled.stencils.begin(), shuffled.stencils.end(), random);
    merge_equal(reference.stencils);
    set.sort_and_merge(16);
    shuffled.sort_and_merge(16);
    expect_same(set, reference);
    expect_same(shuffled, reference);
  }
}

}  // namespace
}  // namespace sinew
