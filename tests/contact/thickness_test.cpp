// Surfaces that touch at a distance of their meshes: derivatives of the barrier, step bounds, and the search.
#include <cmath>
#include <random>

#include "contact/contact_meshes.h"
#include "contact/stencil_cases.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/contact/accd.h"
#include "sinew/contact/candidates.h"
#include "sinew/contact/ccd_axis.h"
#include "sinew/contact/distance.h"
#include "sinew/contact/gap.h"
#include "sinew/contact/layer_overlap.h"
#include "sinew/contact/pair_distance.h"
#include "sinew/contact/stencil_energy.h"

namespace sinew::thickness_test {
namespace {

// A stencil whose offset is a share of its distance, with dhat a multiple of the gap that is left.
struct ThickProblem {
  ThickProblem(const test::StencilCase& c, double share, double reach) : stencil(test::contact_of(c, 0.7)), x(c.x) {
    const double distance = std::sqrt(pair_distance2(c.kind, c.x));
    stencil.offset = share * distance;
    gap = distance - stencil.offset;
    barrier = {3e4, reach * gap};
  }
  double energy(const Points& at) const { return stencil_energy(stencil, at, planes, barrier); }
  Vec12 gradient(const Points& at) const {
    Vec12 g;
    stencil_gradient(stencil, at, planes, barrier, g);
    return g;
  }
  Mat12 hessian(bool psd) const {
    Vec12 g;
    Mat12 H;
    const double value = stencil_derivatives(stencil, x, planes, barrier, psd, g, H);
    EXPECT_EQ(g, gradient(x));
    EXPECT_NEAR(value, energy(x), 1e-12 * value + 1e-15 * g.norm());
    return H;
  }
  ContactStencil stencil;
  Points x;
  double gap = 0;
  std::vector<PlaneState> planes;
  BarrierParameters barrier;
};

ThickProblem thick_plane_problem(double gap, double share, double reach) {
  test::StencilCase c{"plane", StencilKind::point_point, StencilPoints::Zero()};
  c.x.col(1) = Vec3(gap, 0, 0);
  ThickProblem p(c, share, reach);
  const Vec3 n = Vec3(1, -2, 0.5).normalized();
  p.planes = {{Vec3(0.1, 0.2, 0.3), n}};
  p.stencil.kind = StencilKind::point_plane;
  p.stencil.v = {0, -1, -1, -1};
  p.stencil.plane = 0;
  p.x.col(0) = p.planes[0].point + gap * n + n.cross(Vec3(0.3, 0.1, 0));
  return p;
}

TEST(Thickness, DerivativesAgainstDifferences) {
  for (const double distance : {0.2, 1e-2}) {
    for (const double share : {0.01, 0.5, 0.95}) {
      for (const double reach : {1.3, 1e3}) {  // weak and strong barriers
        const auto check = [&](const std::string& name, const ThickProblem& p, double scale) {
          const double h = 0.005 * std::min(scale, p.gap);
          const StencilPoints at = p.x.leftCols(4);
          const Vec12 g = p.gradient(p.x);
          const Mat12 H = p.hessian(false);
          const Vec12 dg = test::difference_gradient([&](const StencilPoints& x) { return p.energy(x); }, at, h);
          const Mat12 dH = test::difference_jacobian([&](const StencilPoints& x) { return p.gradient(x); }, at, h);
          const double rounding = 1000 * 2.2e-16 / h;
          EXPECT_GT(g.norm(), 0) << name;
          EXPECT_LE((g - dg).norm(), (1e-8 + rounding) * g.norm()) << name << ' ' << distance << ' ' << share;
          EXPECT_LE((H - dH).norm(), (1e-8 + rounding) * H.norm()) << name << ' ' << distance << ' ' << share;
        };
        for (unsigned seed = 0; seed < 3; ++seed)
          for (const test::StencilCase& c : test::stencil_cases(distance, seed))
            check(c.name, ThickProblem(c, share, reach), c.scale);
        check("point_plane", thick_plane_problem(distance, share, reach), distance);
      }
    }
  }
}

TEST(Thickness, ProjectionIsTheNumericOne) {
  for (const double share : {1e-3, 0.5, 0.99}) {
    for (const double reach : {1.001, 1.3, 50.0}) {
      std::vector<std::pair<std::string, ThickProblem>> problems;
      for (const test::StencilCase& c : test::stencil_cases(1e-2, 7))
        problems.emplace_back(c.name, ThickProblem(c, share, reach));
      problems.emplace_back("point_plane", thick_plane_problem(1e-2, share, reach));
      for (const auto& [name, p] : problems) {
        const Mat12 exact = p.hessian(false), projected = p.hessian(true);
        const Eigen::SelfAdjointEigenSolver<MatX> eigen{MatX(0.5 * (exact + exact.transpose()))};
        const MatX& V = eigen.eigenvectors();
        const Mat12 numeric = V * eigen.eigenvalues().cwiseMax(0).asDiagonal() * V.transpose();
        EXPECT_LE((projected - numeric).norm(), 1e-10 * exact.norm()) << name << ' ' << share << ' ' << reach;
      }
    }
  }
}

// The pressure of a gap does not depend on the offset.
TEST(Thickness, EqualGapsPressEqually) {
  const BarrierParameters barrier{3e4, 2e-3};
  ContactStencil stencil;
  stencil.weight = 0.3;
  stencil.v = {0, 1, -1, -1};
  const auto force = [&](double gap, double offset) {
    Points x = Points::Zero(3, 2);
    x(1, 1) = gap + offset;
    stencil.offset = offset;
    const double normal = stencil_normal_force(stencil, x, {}, barrier);
    Vec12 g;
    stencil_gradient(stencil, x, {}, barrier, g);
    EXPECT_NEAR(g.head<3>().norm(), normal, 1e-12 * normal);
    EXPECT_NEAR(stencil_gap(stencil, x, {}), gap, 1e-14);
    return normal;
  };
  for (const double gap : {1e-5, 1e-3, 1.9e-3})
    for (const double offset : {1e-4, 1e-2, 0.3})
      EXPECT_NEAR(force(gap, offset), force(gap, 0), 1e-9 * force(gap, 0)) << gap << ' ' << offset;
  EXPECT_EQ(force(2e-3, 0.1), 0);
  Points x = Points::Zero(3, 2);
  x(1, 1) = 0.1;
  stencil.offset = 0.1;  // they touch
  EXPECT_EQ(stencil_energy(stencil, x, {}, barrier), std::numeric_limits<double>::infinity());
}

struct Query {
  Points x{3, 4}, d{3, 4};
  bool edges = false;

  double distance(double t) const {
    const Points at = x + t * d;
    return std::sqrt(edges ? edge_edge_distance2(at.col(0), at.col(1), at.col(2), at.col(3))
                           : point_triangle_distance2(at.col(0), at.col(1), at.col(2), at.col(3)));
  }
  Vec3 direction() const {
    if (edges) {
      Eigen::Matrix<double, 3, 4> r;
      r << x.col(0) - x.col(2), x.col(0) - x.col(3), x.col(1) - x.col(2), x.col(1) - x.col(3);
      return ccd::detail::closest_direction(r).normalized();
    }
    Eigen::Matrix<double, 3, 3> r;
    r << x.col(0) - x.col(1), x.col(0) - x.col(2), x.col(0) - x.col(3);
    return ccd::detail::closest_direction(r).normalized();
  }
  int first() const { return edges ? 2 : 1; }
  double step(double offset) const {
    return edges ? ccd::edge_edge_step(x, d, {0, 1, 2, 3}, 1, offset)
                 : ccd::vertex_face_step(x, d, {0, 1, 2, 3}, 1, offset);
  }
};

// Two primitives of about length 1 at the distance offset + gap, moving by `size` in one of several ways.
Query random_query(std::mt19937& random, double offset, double gap, double size, int way) {
  Query q;
  q.edges = random() % 2 == 0;
  for (int i = 0; i < 4; ++i) q.x.col(i) = test::random_vector(random);
  if (way == 4 && q.edges)
    q.x.col(3) = q.x.col(2) + (q.x.col(1) - q.x.col(0)) * test::uniform(random, 0.5, 2);  // parallel
  for (int pass = 0; pass < 3; ++pass) {
    const Vec3 n = q.direction();
    const double shift = offset + gap - q.distance(0);
    for (int i = 0; i < q.first(); ++i) q.x.col(i) += shift * n;
  }
  const Vec3 n = q.direction();
  const Vec3 along = n.cross(test::random_vector(random)).normalized();
  const Mat3 turn = Eigen::AngleAxisd(std::min(size, 1.5), test::random_vector(random).normalized()).toRotationMatrix();
  for (int i = 0; i < 4; ++i) {
    const bool first = i < q.first();
    switch (way) {
      case 0:  // anyhow
        q.d.col(i) = test::random_vector(random, size);
        break;
      case 1:  // towards each other
        q.d.col(i) = first ? Vec3(-size * n) : Vec3(0.3 * size * n);
        break;
      case 2:  // grazing
      case 4:
        q.d.col(i) = first ? Vec3(size * along - 0.5 * std::min(size, gap) * n) : Vec3(Vec3::Zero());
        break;
      default:  // one turns
        q.d.col(i) = first ? Vec3::Zero() : Vec3(turn * q.x.col(i) - q.x.col(i));
    }
  }
  return q;
}

TEST(Thickness, StepsNeverReachTheOffset) {
  std::mt19937 random(3);
  long queries = 0, stuck = 0, loose = 0, limited = 0;
  for (const double offset : {1e-6, 1e-3, 0.1, 10.0}) {
    for (const double gap : {1e-7, 1e-5, 1e-3, 0.1}) {
      for (const double size : {1e-6, 1e-3, 0.3, 20.0, 1e5}) {
        for (int trial = 0; trial < 200; ++trial) {
          const Query q = random_query(random, offset, gap, size, trial % 5);
          const double start = q.distance(0) - offset;
          if (!(std::abs(start - gap) < 0.5 * gap)) continue;
          const double alpha = q.step(offset);
          ++queries;
          double least = start;
          for (int i = 0; i <= 100; ++i) least = std::min(least, q.distance(alpha * i / 100) - offset);
          const double rounding = 1e-15 * (size + 1 + offset) * 8;
          ASSERT_GE(least, 0.0999 * start - rounding) << offset << ' ' << gap << ' ' << size << " way " << trial % 5;
          stuck += alpha == 0;
          if (alpha < 1) {
            ++limited;
            loose += q.distance(alpha) - offset > 0.5 * start;
          }
        }
      }
    }
  }
  std::printf("%ld queries, %ld limited, %ld stuck, %ld shorter than half the gap allows\n", queries, limited, stuck,
              loose);
  EXPECT_GT(queries, 12000);
  EXPECT_EQ(stuck, 0);
  EXPECT_LT(loose, limited / 100);
}

TEST(Thickness, PlaneStepsKeepTheOffset) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 20000; ++trial) {
    const double offset = std::pow(10, test::uniform(random, -5, 1)), gap = std::pow(10, test::uniform(random, -5, 0));
    const Vec3 n = test::random_vector(random).normalized();
    const PlaneState now{test::random_vector(random), n};
    const Mat3 turn =
        Eigen::AngleAxisd(std::pow(10, test::uniform(random, -4, -0.3)), test::random_vector(random).normalized())
            .toRotationMatrix();
    const PlaneState end{now.point + test::random_vector(random, 0.3), turn * n};
    const Vec3 x = now.point + (offset + gap) * n + n.cross(test::random_vector(random));
    const Vec3 d = test::random_vector(random, std::pow(10, test::uniform(random, -4, 1)));
    const auto height = [&](double t) {
      const Vec3 normal = ((1 - t) * now.normal + t * end.normal).normalized();
      return normal.dot(x + t * d - (1 - t) * now.point - t * end.point) - offset;
    };
    const double alpha = plane_step(x, d, now, end, 1, offset);
    ASSERT_GT(alpha, 0);
    for (int i = 0; i <= 50; ++i) ASSERT_GT(height(alpha * i / 50), 0.0999 * height(0)) << offset << ' ' << gap;
  }
}

// Spheres and a wavy sheet that touches itself, with offsets; the last one is an obstacle.
test::ContactScene thick_scene(unsigned seed) {
  std::mt19937 random(seed);
  test::SceneBuilder builder;
  const auto [sheet, faces] =
      test::height_field(12, 2, [](double u, double v) { return 0.3 * std::sin(5 * u) * std::cos(3 * v); });
  builder.add(sheet, faces);
  for (int i = 0; i < 5; ++i) {
    const auto [x, t] = test::octasphere(2, 0.2, Vec3(0.3 + 0.4 * i, 0.4 + 0.3 * (i % 3), 0.57 + 0.1 * (i % 2)));
    builder.add(x, t, i == 4);
  }
  test::ContactScene scene = builder.finish();
  scene.mesh.owner_offset = {0.01, 0.02, 0, 0.015, 0.005, 0.03};
  scene.mesh.planes.push_back({5, 0});
  return scene;
}

template <class F>
void for_all_pairs(const CollisionMesh& mesh, F&& f) {
  const auto owner = [&](Index v) { return mesh.vertex_owner[v]; };
  const auto try_pair = [&](const PrimitivePair& pair, bool adjacent) {
    const auto v = vertices_of(mesh, pair);
    const Index a = owner(v[0]), b = owner(v[3]);
    if (adjacent || !mesh.owners_may_touch(a, b) || (mesh.kinematic(v[0]) && mesh.kinematic(v[3]))) return;
    f(pair, mesh.offset(a, b));
  };
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i)
    for (Index t = 0; t < mesh.triangles.cols(); ++t) {
      const auto c = mesh.triangles.col(t);
      try_pair({PairKind::vertex_face, i, t},
               mesh.adjacent(std::array{mesh.vertices[i]}, std::array<Index, 3>{c[0], c[1], c[2]}));
    }
  for (Index i = 0; i < mesh.edges.cols(); ++i)
    for (Index j = i + 1; j < mesh.edges.cols(); ++j)
      try_pair({PairKind::edge_edge, i, j}, mesh.adjacent(std::array{mesh.edges(0, i), mesh.edges(1, i)},
                                                          std::array{mesh.edges(0, j), mesh.edges(1, j)}));
}

// Contacts of a search that goes along a motion are those of all pairs, and steps keep gaps open.
TEST(Thickness, SearchAndStepsAgreeWithAllPairs) {
  test::ContactScene scene = thick_scene(1);
  const double dhat = 0.03;
  std::mt19937 random(9);
  ContactDetector kept(scene.mesh);
  std::vector<PlaneState> planes{{Vec3(0, 0, -0.5), Vec3::UnitZ()}};
  Points x = scene.x;
  ASSERT_TRUE(find_layer_overlaps(scene.mesh, x, planes).empty());
  int limited = 0;
  for (int round = 0; round < 12; ++round) {
    const ContactSet set = kept.active_set(x, planes, dhat);
    // The smallest gap of all pairs, and how many are below dhat.
    double least = std::numeric_limits<double>::infinity();
    double weight = 0;
    for_all_pairs(scene.mesh, [&](const PrimitivePair& pair, double offset) {
      const double gap = std::sqrt(pair_distance2(scene.mesh, pair, x)) - offset;
      least = std::min(least, gap);
      if (!(gap < dhat)) return;
      weight += pair.kind == PairKind::vertex_face
                    ? 0.25 * scene.mesh.vertex_area[pair.first]
                    : 0.25 * (scene.mesh.edge_area[pair.first] + scene.mesh.edge_area[pair.second]);
    });
    for (std::size_t i = 0; i < scene.mesh.vertices.size(); ++i) {
      const Index v = scene.mesh.vertices[i], owner = scene.mesh.vertex_owner[v];
      if (scene.mesh.kinematic(v)) continue;
      const double gap = planes[0].normal.dot(x.col(v) - planes[0].point) - scene.mesh.offset(owner, 5);
      least = std::min(least, gap);
      if (gap < dhat) weight += scene.mesh.vertex_area[i];
    }
    double found = 0;
    for (const ContactStencil& stencil : set.stencils) {
      found += stencil.weight;
      EXPECT_LT(stencil_gap(stencil, x, planes), dhat);
      const Index other = stencil.kind == StencilKind::point_plane ? 5 : scene.mesh.vertex_owner[stencil.v[1]];
      if (stencil.kind != StencilKind::edge_edge && stencil.kind != StencilKind::edge_edge_mollified) {
        EXPECT_EQ(stencil.offset, scene.mesh.offset(scene.mesh.vertex_owner[stencil.v[0]], other));
      }
    }
    EXPECT_NEAR(found, weight, 1e-12 * weight);
    if (least < dhat) {
      EXPECT_NEAR(set.min_distance, least, 1e-12);
    }
    EXPECT_GT(least, 0);

    // A motion of all, with turns, and a new search at its end.
    Points d(3, x.cols());
    const double common = round % 3 == 0 ? 0.3 : 0.05;
    std::vector<Vec3> flight, axis;
    for (Index o = 0; o < scene.mesh.owner_count; ++o) {
      flight.push_back(test::random_vector(random, common));
      axis.push_back(test::random_vector(random, 0.5));
    }
    for (Index v = 0; v < d.cols(); ++v) {
      const Index o = scene.mesh.vertex_owner[v];
      d.col(v) =
          flight[o] + axis[o].cross(Vec3(x.col(v)) - Vec3(1, 1, 0.5)) * common + test::random_vector(random, 0.02);
    }
    const double alpha = kept.max_step(x, d, planes, planes);
    ContactDetector fresh(scene.mesh);
    EXPECT_EQ(fresh.max_step(x, d, planes, planes), alpha);
    ASSERT_GT(alpha, 0);
    limited += alpha < 1;
    for (const double t : {0.3 * alpha, alpha}) {
      const Points at = x + t * d;
      for_all_pairs(scene.mesh, [&](const PrimitivePair& pair, double offset) {
        const double before = std::sqrt(pair_distance2(scene.mesh, pair, x)) - offset;
        ASSERT_GT(std::sqrt(pair_distance2(scene.mesh, pair, at)) - offset, 0.099 * before);
      });
    }
    x += alpha * d;
    EXPECT_TRUE(find_layer_overlaps(scene.mesh, x, planes).empty());
  }
  EXPECT_GT(limited, 3);
}

TEST(Thickness, FindsOverlapsOfLayers) {
  test::ContactScene scene = thick_scene(1);
  std::vector<PlaneState> planes{{Vec3(0, 0, -0.5), Vec3::UnitZ()}};
  EXPECT_TRUE(find_layer_overlaps(scene.mesh, scene.x, planes).empty());
  // Thick spheres overlap each other, the sheet its neighbour and the plane.
  scene.mesh.owner_offset = {0, 0.3, 0, 0.2, 0.1, 0};
  std::map<std::pair<Index, Index>, double> nearest;
  std::map<std::pair<Index, Index>, long> count;
  for_all_pairs(scene.mesh, [&](const PrimitivePair& pair, double offset) {
    const double distance = std::sqrt(pair_distance2(scene.mesh, pair, scene.x));
    if (distance > offset || !(offset > 0)) return;
    const auto v = vertices_of(scene.mesh, pair);
    const auto key = std::pair(std::minmax(scene.mesh.vertex_owner[v[0]], scene.mesh.vertex_owner[v[3]]));
    const std::pair<Index, Index> owners(key.first, key.second);
    const auto at = nearest.try_emplace(owners, distance).first;
    at->second = std::min(at->second, distance);
    ++count[owners];
  });
  const auto overlaps = find_layer_overlaps(scene.mesh, scene.x, {});
  ASSERT_EQ(overlaps.size(), nearest.size());
  ASSERT_GT(overlaps.size(), 3U);
  for (const LayerOverlap& one : overlaps) {
    const std::pair owners(one.a, one.b);
    ASSERT_TRUE(nearest.contains(owners));
    EXPECT_EQ(one.distance, nearest[owners]);
    EXPECT_EQ(one.count, count[owners]);
    EXPECT_EQ(one.offset, scene.mesh.offset(one.a, one.b));
  }
}

}  // namespace
}  // namespace sinew::thickness_test
