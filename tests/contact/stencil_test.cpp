#include <cmath>
#include <limits>
#include <set>

#include "contact/stencil_cases.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/contact/distance.h"
#include "sinew/contact/stencil_build.h"
#include "sinew/contact/stencil_energy.h"

namespace sinew {
namespace {

using test::StencilCase;

// One case as a stencil on four vertices, with dhat 1.3 times the distance unless told.
struct Problem {
  explicit Problem(const StencilCase& c, double reach = 1.3) : stencil(test::contact_of(c, 0.7)), x(c.x) {
    barrier.distance = reach * std::sqrt(pair_distance2(c.kind, c.x));
    barrier.stiffness = 3e4;
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
    EXPECT_NEAR(value, energy(x), 1e-14 * value + 1e-15 * g.norm());  // positions are known to rounding
    return H;
  }
  ContactStencil stencil;
  Points x;
  std::vector<PlaneState> planes;
  BarrierParameters barrier;
};

Problem plane_problem(double gap) {
  StencilCase c{"plane", StencilKind::point_point, StencilPoints::Zero()};
  c.x.col(1) = Vec3(gap, 0, 0);
  Problem p(c);
  const Vec3 n = Vec3(1, -2, 0.5).normalized();
  p.planes = {{Vec3(1, 1, 1), Vec3(0, 0, 1)}, {Vec3(0.1, 0.2, 0.3), n}};
  p.stencil.kind = StencilKind::point_plane;
  p.stencil.v = {0, -1, -1, -1};
  p.stencil.plane = 1;
  p.x.col(0) = p.planes[1].point + gap * n + n.cross(Vec3(0.3, 0.1, 0));
  return p;
}

std::vector<std::pair<std::string, Problem>> problems(double gap, unsigned seed, double reach = 1.3) {
  std::vector<std::pair<std::string, Problem>> result;
  for (const StencilCase& c : test::stencil_cases(gap, seed)) result.emplace_back(c.name, Problem(c, reach));
  result.emplace_back("point_plane", plane_problem(gap));
  return result;
}

// Positive part by a numeric eigendecomposition of the whole matrix.
Mat12 numeric_projection(const Mat12& H) {
  const Eigen::SelfAdjointEigenSolver<MatX> eigen{MatX(0.5 * (H + H.transpose()))};
  const MatX& V = eigen.eigenvectors();
  return V * eigen.eigenvalues().cwiseMax(0).asDiagonal() * V.transpose();
}

TEST(StencilEnergy, DerivativesAgainstDifferences) {
  for (const double gap : {0.2, 1e-2, 1e-4}) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      for (const double reach : {1.3, 1e3}) {  // weak and strong barriers
        auto cases = test::stencil_cases(gap, seed);
        for (const StencilCase& c : cases) {
          const Problem p(c, reach);
          const double h = 0.005 * c.scale;
          const Vec12 g = p.gradient(p.x);
          const Mat12 H = p.hessian(false);
          const Vec12 dg = test::difference_gradient([&](const StencilPoints& x) { return p.energy(x); }, c.x, h);
          const Mat12 dH = test::difference_jacobian([&](const StencilPoints& x) { return p.gradient(x); }, c.x, h);
          const double rounding = 300 * 2.2e-16 / h;  // of the gap, over the step
          EXPECT_LE((g - dg).norm(), (1e-8 + rounding) * g.norm()) << c.name << " gap " << gap << " reach " << reach;
          EXPECT_LE((H - dH).norm(), (1e-8 + rounding) * H.norm()) << c.name << " gap " << gap << " reach " << reach;
        }
      }
    }
  }
}

TEST(StencilEnergy, PlaneDerivativesAgainstDifferences) {
  for (const double gap : {0.2, 1e-3}) {
    const Problem p = plane_problem(gap);
    const double h = 0.005 * gap;
    StencilPoints at = p.x.leftCols(4);
    const Vec12 g = p.gradient(p.x);
    const Vec12 dg = test::difference_gradient([&](const StencilPoints& x) { return p.energy(x); }, at, h);
    const Mat12 dH = test::difference_jacobian([&](const StencilPoints& x) { return p.gradient(x); }, at, h);
    EXPECT_LE((g - dg).norm(), 1e-8 * g.norm());
    EXPECT_LE((p.hessian(false) - dH).norm(), 1e-8 * dH.norm());
    EXPECT_LT(g.head<3>().dot(p.planes[1].normal), 0);  // the force is out of the solid
  }
}

TEST(StencilEnergy, ProjectionIsTheNumericOne) {
  for (const double gap : {0.3, 1e-2, 1e-5}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      for (const double reach : {1.001, 1.3, 50.0}) {
        for (const auto& [name, p] : problems(gap, seed, reach)) {
          const Mat12 exact = p.hessian(false), projected = p.hessian(true);
          const double norm = exact.norm();
          EXPECT_LE((projected - numeric_projection(exact)).norm(), 1e-11 * norm) << name << " gap " << gap;
          EXPECT_LE((projected - projected.transpose()).norm(), 1e-15 * norm) << name;
          EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatX>(MatX(projected)).eigenvalues().minCoeff(), -1e-14 * norm)
              << name;
        }
      }
    }
  }
}

TEST(StencilEnergy, TranslationInvariantAndZeroBeyond) {
  Eigen::Matrix<double, 12, 3> translations;
  for (int i = 0; i < 4; ++i) translations.middleRows<3>(3 * i).setIdentity();
  for (auto& [name, p] : problems(1e-3, 11)) {
    if (p.stencil.kind != StencilKind::point_plane) {
      const Vec12 g = p.gradient(p.x);
      EXPECT_LE((g.transpose() * translations).norm(), 1e-13 * g.norm()) << name;
      for (bool psd : {false, true}) {
        const Mat12 H = p.hessian(psd);
        EXPECT_LE((H * translations).norm(), 1e-13 * H.norm()) << name;
      }
    }
    p.barrier.distance /= 1.4;
    EXPECT_EQ(p.energy(p.x), 0) << name;
    EXPECT_EQ(p.gradient(p.x).norm(), 0) << name;
    EXPECT_EQ(p.hessian(true).norm(), 0) << name;
  }
}

TEST(StencilEnergy, InfiniteAtContactAndBehindPlanes) {
  Problem p = plane_problem(1e-3);
  p.x.col(0) = p.planes[1].point - 1e-4 * p.planes[1].normal;
  EXPECT_EQ(p.energy(p.x), std::numeric_limits<double>::infinity());
  p.stencil.kind = StencilKind::point_point;
  p.stencil.v = {0, 1, -1, -1};
  p.x.col(1) = p.x.col(0);
  EXPECT_EQ(p.energy(p.x), std::numeric_limits<double>::infinity());
  EXPECT_EQ(p.gradient(p.x).norm(), 0);
}

TEST(StencilEnergy, NormalForceIsTheSlopeByDistance) {
  for (auto& [name, p] : problems(1e-2, 4)) {
    // Moving the first primitive away along the normal is a unit change of the distance; the mollifier stays.
    const Problem& q = p;
    Vec3 n;
    if (q.stencil.kind == StencilKind::point_plane) {
      n = q.planes[1].normal;
    } else {
      n = pair_frame(closest_pair(q.stencil.kind, gather(q.stencil, q.x))).normal;
    }
    const bool edges = q.stencil.kind == StencilKind::edge_edge || q.stencil.kind == StencilKind::edge_edge_mollified;
    const auto moved = [&](double step) {
      Points x = q.x;
      const ClosestPair pair = closest_pair(q.stencil.kind, gather(q.stencil, q.x));
      const double sign = q.stencil.kind == StencilKind::point_plane || pair.c[0] + pair.c[1] > 0.5 || !edges ? 1 : -1;
      x.col(0) += sign * step * n;
      if (edges) x.col(1) += sign * step * n;
      return q.energy(x);
    };
    const double h = 1e-6;
    const double slope = (moved(h) - moved(-h)) / (2 * h);
    const double force = stencil_normal_force(q.stencil, q.x, q.planes, q.barrier);
    EXPECT_NEAR(force, -slope, 1e-5 * force) << name;
    EXPECT_GT(force, 0);
  }
}

TEST(StencilEnergy, PowerOfTwoScalingIsExact) {
  const double length = 1.0 / 1024, stiffness = 4096;  // kappa
  for (const auto& [name, p] : problems(1e-3, 5)) {
    Problem q = p;
    q.x *= length;
    q.barrier.distance *= length;
    q.barrier.stiffness *= stiffness;
    q.stencil.weight *= length * length;
    q.stencil.mollifier_eps *= std::pow(length, 4);
    for (PlaneState& plane : q.planes) plane.point *= length;
    const double energy = stiffness * std::pow(length, 3);
    EXPECT_EQ(q.energy(q.x), energy * p.energy(p.x)) << name;
    EXPECT_EQ(q.gradient(q.x), energy / length * p.gradient(p.x)) << name;
    for (bool psd : {false, true}) EXPECT_EQ(q.hessian(psd), energy / (length * length) * p.hessian(psd)) << name;
  }
}

// Two triangles with all tables filled in; the second one is kinematic.
CollisionMesh two_triangles() {
  CollisionMesh mesh;
  mesh.dynamic_count = 3;
  mesh.vertices = {0, 1, 2, 3, 4, 5};
  mesh.edges.resize(2, 6);
  mesh.edges << 0, 0, 1, 3, 3, 4, 1, 2, 2, 4, 5, 5;
  mesh.triangles.resize(3, 2);
  mesh.triangles << 0, 5, 2, 4, 1, 3;
  mesh.vertex_area = {1, 2, 3, 4, 5, 6};
  mesh.edge_area = {1, 2, 3, 4, 5, 6};
  mesh.edge_rest_length2.assign(6, 1);
  return mesh;
}

TEST(StencilBuild, PointTriangleKinds) {
  const CollisionMesh mesh = two_triangles();
  Points x(3, 6);
  x << 0, 5, 5, 0, 2, 0, 0, 5, 6, 0, 0, 2, 0, 5, 5, 0, 0, 0;  // triangle 5 4 3 in the plane z = 0
  using V = std::array<Index, 4>;
  const auto build = [&](Vec3 p) {
    x.col(0) = p;
    return point_triangle_stencil(mesh, 0, 1, x);
  };
  StencilAtDistance s = build({0.5, 0.5, 1});
  EXPECT_EQ(s.stencil.kind, StencilKind::point_triangle);
  EXPECT_EQ(s.stencil.v, (V{0, 3, 4, 5}));
  EXPECT_EQ(s.stencil.weight, 0.25);
  EXPECT_EQ(s.distance2, 1);
  s = build({0.5, -2, 0});
  EXPECT_EQ(s.stencil.kind, StencilKind::point_edge);
  EXPECT_EQ(s.stencil.v, (V{0, 3, 4, -1}));
  EXPECT_EQ(s.distance2, 4);
  s = build({-3, -4, 0});
  EXPECT_EQ(s.stencil.kind, StencilKind::point_point);
  EXPECT_EQ(s.stencil.v, (V{0, 3, -1, -1}));
  EXPECT_EQ(s.distance2, 25);
  double d = 0;
  const PlaneState plane{Vec3(0, 0, 1), Vec3(0, 0, 1)};
  s = point_plane_stencil(mesh, 0, 2, plane, x, &d);
  EXPECT_EQ(s.stencil.kind, StencilKind::point_plane);
  EXPECT_EQ(s.stencil.plane, 2);
  EXPECT_EQ(s.stencil.weight, 1);
  EXPECT_EQ(d, -1);
}

TEST(StencilBuild, EdgeEdgeKinds) {
  const CollisionMesh mesh = two_triangles();
  Points x = Points::Zero(3, 6);
  x.col(0) = Vec3(-1, 0, 1);
  x.col(1) = Vec3(1, 0, 1);
  using V = std::array<Index, 4>;
  const auto build = [&](Vec3 b0, Vec3 b1) {
    x.col(3) = b0;
    x.col(4) = b1;
    const StencilAtDistance forward = edge_edge_stencil(mesh, 0, 3, x), backward = edge_edge_stencil(mesh, 3, 0, x);
    EXPECT_TRUE(same_stencil(forward.stencil, backward.stencil));
    EXPECT_EQ(forward.stencil.weight, backward.stencil.weight);
    return forward;
  };
  StencilAtDistance s = build({0, -1, 0}, {0, 1, 0});
  EXPECT_EQ(s.stencil.kind, StencilKind::edge_edge);
  EXPECT_EQ(s.stencil.v, (V{0, 1, 3, 4}));
  EXPECT_EQ(s.stencil.weight, 0.25 * (1 + 4));
  EXPECT_EQ(s.distance2, 1);
  s = build({0, 1, 1}, {0, 3, 1});
  EXPECT_EQ(s.stencil.kind, StencilKind::point_edge);
  EXPECT_EQ(s.stencil.v, (V{3, 0, 1, -1}));
  s = build({3, 5, 1}, {3, 2, 1});
  EXPECT_EQ(s.stencil.kind, StencilKind::point_point);
  EXPECT_EQ(s.stencil.v, (V{1, 4, -1, -1}));
  s = build({-1, 0, 0}, {1, 1e-3, 0});
  EXPECT_EQ(s.stencil.kind, StencilKind::edge_edge_mollified);
  EXPECT_EQ(s.stencil.v, (V{0, 1, 3, 4}));
  EXPECT_EQ(s.stencil.mollifier_eps, 1e-3);
}

TEST(StencilBuild, MergesEqualStencilsWhateverTheOrder) {
  std::mt19937 random(3);
  std::vector<ContactStencil> stencils;
  for (int i = 0; i < 200; ++i) {
    ContactStencil s;
    s.kind = static_cast<StencilKind>(random() % 5);
    const Index a = random() % 2, b = 2 + random() % 2;
    s.v = {a, b, s.vertex_count() > 2 ? 4 + a : -1, s.vertex_count() > 3 ? 6 + b : -1};
    std::shuffle(s.v.begin() + (s.kind == StencilKind::point_edge ? 1 : 0), s.v.begin() + s.vertex_count(), random);
    if (s.kind == StencilKind::point_triangle) std::shuffle(s.v.begin() + 1, s.v.end(), random);
    s.weight = test::uniform(random, 0, 1);
    canonicalize(s);
    stencils.push_back(s);
  }
  std::vector<ContactStencil> shuffled = stencils;
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  double total = 0;
  for (const ContactStencil& s : stencils) total += s.weight;
  merge_equal(stencils);
  merge_equal(shuffled);
  ASSERT_EQ(stencils.size(), shuffled.size());
  EXPECT_LT(stencils.size(), 200u);
  double merged = 0;
  for (std::size_t i = 0; i < stencils.size(); ++i) {
    EXPECT_TRUE(same_stencil(stencils[i], shuffled[i]));
    EXPECT_EQ(stencils[i].weight, shuffled[i].weight);
    merged += stencils[i].weight;
  }
  EXPECT_NEAR(merged, total, 1e-12);
}

// Along random paths, across all changes of closest features and in and out of the mollifier, energy and gradient have
// no jumps: their change over a step shrinks with the step.
TEST(StencilBuild, EnergyAndForceAreContinuousAcrossTypes) {
  CollisionMesh mesh = two_triangles();
  std::mt19937 random(9);
  const BarrierParameters barrier{1, 0.5};
  std::set<int> kinds;
  int changes = 0;
  for (int path = 0; path < 400; ++path) {
    Points from(3, 6), to(3, 6);
    for (int i = 0; i < 6; ++i) {
      const double height = i < 3 ? 0.15 : 0;
      from.col(i) = test::random_vector(random).cwiseProduct(Vec3(1, 1, 0.03)) + Vec3(0, 0, height);
      to.col(i) = from.col(i) + 0.3 * test::random_vector(random).cwiseProduct(Vec3(1, 1, 0.03));
    }
    if (path % 2) {  // edges 0 1 and 3 4 nearly parallel
      from.col(4) = from.col(3) + (from.col(1) - from.col(0)) + test::random_vector(random, 0.05);
      to.col(4) = to.col(3) + (to.col(1) - to.col(0)) + test::random_vector(random, 0.05);
    }
    const auto build = [&](double t, bool edges) {
      const Points x = (1 - t) * from + t * to;
      return std::make_pair(edges ? edge_edge_stencil(mesh, 0, 3, x) : point_triangle_stencil(mesh, 0, 1, x), x);
    };
    const auto gradient = [&](const ContactStencil& s, const Points& x) {
      Vec12 local;
      stencil_gradient(s, x, {}, barrier, local);
      VecX g = VecX::Zero(18);
      for (int i = 0; i < s.vertex_count(); ++i) g.segment<3>(3 * s.v[i]) += local.segment<3>(3 * i);
      return g;
    };
    for (bool edges : {false, true}) {
      auto last = build(0, edges);
      for (int step = 1; step <= 200; ++step) {
        auto next = build(step / 200.0, edges);
        kinds.insert(static_cast<int>(next.first.stencil.kind));
        if (!same_stencil(next.first.stencil, last.first.stencil)) {
          ++changes;
          double low = (step - 1) / 200.0, high = step / 200.0;  // bisect to the moment of a change
          auto below = last, above = next;
          for (int k = 0; k < 45; ++k) {
            const double middle = 0.5 * (low + high);
            auto at = build(middle, edges);
            if (same_stencil(at.first.stencil, below.first.stencil)) {
              low = middle;
              below = at;
            } else {
              high = middle;
              above = at;
            }
          }
          const double e0 = stencil_energy(below.first.stencil, below.second, {}, barrier);
          const double e1 = stencil_energy(above.first.stencil, above.second, {}, barrier);
          EXPECT_NEAR(e0, e1, 1e-9 * std::max(e0, 1e-6));
          const VecX g0 = gradient(below.first.stencil, below.second), g1 = gradient(above.first.stencil, above.second);
          EXPECT_LE((g0 - g1).norm(), 1e-6 * std::max(g0.norm(), 1e-6));
        }
        last = next;
      }
    }
  }
  EXPECT_EQ(kinds.size(), 5u);
  EXPECT_GT(changes, 200);
}

}  // namespace
}  // namespace sinew
