// Ten-node tets: derivatives, polynomials that they represent exactly, curved rest shapes, bits.
#include <numeric>
#include <random>

#include "material/reference.h"
#include "support/derivatives.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/potential/linear_tet_energy.h"
#include "sinew/potential/quadratic_inversion.h"
#include "sinew/potential/quadratic_tet_energy.h"

namespace sinew::test {
namespace {

struct QuadraticBox {
  Points rest;
  Tets corners;
  QuadraticTets tets;
};

// curve: nodes on edges are moved by this share of the size of the box's cells.
QuadraticBox quadratic_box(int cells, double curve = 0) {
  const TetMesh box = make_box(Vec3(0.3, 0.2, 0.2), {cells, cells, cells});
  QuadraticBox mesh{box.vertices, box.tets, {}};
  mesh.tets = with_mid_nodes(mesh.rest, mesh.corners);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> move(-curve * 0.2 / cells, curve * 0.2 / cells);
  for (Index v = box.vertex_count(); v < mesh.rest.cols(); ++v)
    mesh.rest.col(v) += Vec3(move(random), move(random), move(random));
  return mesh;
}

ElasticGroup group_of(const std::string& model, Index begin, Index end) {
  ElasticGroup group;
  group.model = sample_model(model);
  group.tet_begin = begin;
  group.tet_end = end;
  group.parameters = group.model->resolve(sample_parameters(model));
  return group;
}

// Two groups, one with fibers and values by tet.
std::vector<ElasticGroup> two_groups(Index m) {
  std::vector<ElasticGroup> groups{group_of("neo_hookean", 0, m / 2), group_of("ogden", m / 2, m)};
  groups[0].parameters[1].assign(m / 2, 1.4);
  for (Index t = 0; t < m / 2; ++t) groups[0].parameters[1][t] += 0.1 * (t % 5);
  groups[1].fiber_stiffness = {2.0};
  groups[1].fiber_direction = Vec3(1, 2, -1).normalized();
  return groups;
}

Points bent(const Points& rest) {
  Points x = rest;
  for (Index v = 0; v < x.cols(); ++v) {
    const Vec3 p = rest.col(v) / 0.3;
    x.col(v) += 0.3 * Vec3(0.2 * p[0] + 0.1 * p[1] * p[1], 0.1 * p[2] - 0.1 * p[1], 0.2 * p[0] * p[1]);
  }
  return x;
}

TEST(QuadraticTets, DerivativesMatchDifferences) {
  const QuadraticBox mesh = quadratic_box(1, 0.1);
  const QuadraticTetEnergy energy(mesh.rest, mesh.tets, two_groups(mesh.tets.cols()), mesh.rest.cols());
  expect_derivatives(energy, bent(mesh.rest), 1e-6, nullptr, 1e-7);
}

// Of a linear map, F is the same everywhere: the energy is that of linear tets.
TEST(QuadraticTets, LinearMapsHaveTheEnergyOfLinearTets) {
  const QuadraticBox mesh = quadratic_box(2);
  const std::vector<ElasticGroup> groups = two_groups(mesh.tets.cols());
  const QuadraticTetEnergy quadratic(mesh.rest, mesh.tets, groups, mesh.rest.cols());
  const LinearTetEnergy linear(mesh.rest, mesh.corners, groups, mesh.rest.cols());
  std::mt19937 random(1);
  const Points x = random_state(random, {1.3, 1.1, 0.8}) * mesh.rest;
  EXPECT_NEAR(quadratic.value(x), linear.value(x), 1e-13 * linear.value(x));
}

// P F^T / J of the material at each point, fibers included; each vertex of a tet has the energy of all of it.
TEST(QuadraticTets, StressIsThatOfTheMaterial) {
  const QuadraticBox mesh = quadratic_box(2, 0.05);
  ElasticGroup group = group_of("gent", 0, mesh.tets.cols());
  group.fiber_stiffness = {2.7};
  group.fiber_direction = Vec3(1, -2, 0.5).normalized();
  const QuadraticTetEnergy energy(mesh.rest, mesh.tets, {group}, mesh.rest.cols());
  const Material material(sample_model("gent"), sample_parameters("gent"), FiberParameters{2.7, {1, -2, 0.5}});
  std::mt19937 random(4);
  const Mat3 A = random_state(random, {1.3, 1.1, 0.8});
  const Points x = A * mesh.rest;
  const Mat3 expected = material.stress(A) * A.transpose() / A.determinant();
  std::vector<double> cauchy(24 * mesh.tets.cols());
  energy.stress(x, cauchy);
  for (std::size_t k = 0; k < cauchy.size(); k += 6) {
    const double s[6] = {expected(0, 0), expected(1, 1), expected(2, 2),
                         expected(0, 1), expected(1, 2), expected(0, 2)};
    for (int c = 0; c < 6; ++c) EXPECT_NEAR(cauchy[k + c], s[c], 1e-11 * expected.norm());
  }
  std::vector<double> at_vertices(mesh.rest.cols(), 0.0);
  energy.add_vertex_energies(x, 2, at_vertices);
  EXPECT_NEAR(std::accumulate(at_vertices.begin(), at_vertices.end(), 0.0), 20 * energy.value(x),
              1e-11 * energy.value(x));
}

// F of x = X + (X_0^2, X_1 X_2, X_0 X_2) at each point is that of the formula, also of tets with curved edges: a map of
// second degree in the reference coordinates has second degree in X only where edges are straight.
TEST(QuadraticTets, MapsOfSecondDegreeAreExact) {
  const QuadraticBox mesh = quadratic_box(2);
  const QuadraticTetEnergy energy(mesh.rest, mesh.tets, two_groups(mesh.tets.cols()), mesh.rest.cols());
  Points x = mesh.rest;
  for (Index v = 0; v < x.cols(); ++v) {
    const Vec3 X = mesh.rest.col(v);
    x.col(v) += Vec3(X[0] * X[0], X[1] * X[2], X[0] * X[2]);
  }
  std::vector<double> F(36 * mesh.tets.cols());
  energy.deformation_gradients(x, F);
  for (Index t = 0; t < mesh.tets.cols(); ++t) {
    for (int q = 0; q < 4; ++q) {
      Vec3 X = Vec3::Zero();
      for (int i = 0; i < 4; ++i) X += quadrature_coordinate(q, i) * mesh.rest.col(mesh.corners(i, t));
      Mat3 expected = Mat3::Identity();
      expected(0, 0) += 2 * X[0];
      expected(1, 1) += X[2], expected(1, 2) += X[1];
      expected(2, 0) += X[2], expected(2, 2) += X[0];
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> found(F.data() + 9 * (4 * t + q));
      EXPECT_LT((found - expected).norm(), 1e-13) << t << ' ' << q;
    }
  }
}

// The patch test: of a linear map, stress is constant and forces vanish at inner nodes. With straight edges they do to
// rounding. With curved ones F is exact, too, but the rule of four points does not integrate the gradients of the shape
// functions exactly (third degree).
TEST(QuadraticTets, PatchTest) {
  for (const double curve : {0.0, 0.15}) {
    const QuadraticBox mesh = quadratic_box(3, curve);
    const QuadraticTetEnergy energy(mesh.rest, mesh.tets, {group_of("neo_hookean", 0, mesh.tets.cols())},
                                    mesh.rest.cols());
    std::mt19937 random(1);
    const Mat3 A = random_state(random, {1.3, 1.1, 0.8});
    const Points x = A * mesh.rest;
    std::vector<double> F(36 * mesh.tets.cols());
    energy.deformation_gradients(x, F);
    for (std::size_t k = 0; k < F.size(); k += 9)
      EXPECT_LT((Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(F.data() + k) - A).norm(), 1e-12);
    Points g = Points::Zero(3, mesh.rest.cols());
    energy.add_gradient(x, 1, g);
    const Vec3 low = mesh.rest.rowwise().minCoeff(), high = mesh.rest.rowwise().maxCoeff();
    int inside = 0;
    for (Index v = 0; v < mesh.rest.cols(); ++v) {
      const Vec3 X = mesh.rest.col(v), margin = 0.05 * (high - low);
      if (!((X - low - margin).minCoeff() > 0 && (high - margin - X).minCoeff() > 0)) continue;
      ++inside;
      if (curve == 0) {
        EXPECT_LT(g.col(v).norm(), 1e-13 * g.colwise().norm().maxCoeff()) << v;
      }
    }
    EXPECT_GT(inside, 30);
  }
}

TEST(QuadraticTets, ProjectedHessiansAreSemidefiniteAndExactWhereConvex) {
  const QuadraticBox mesh = quadratic_box(1);
  const QuadraticTetEnergy energy(mesh.rest, mesh.tets, {group_of("neo_hookean", 0, mesh.tets.cols())},
                                  mesh.rest.cols());
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  const auto pattern = make_pattern(mesh.rest.cols(), pairs);
  const auto hessian = [&](const Points& x, Projection projection) {
    SymBlockMatrix H(pattern);
    Points g = Points::Zero(3, mesh.rest.cols());
    energy.add_derivatives(x, 1, projection, g, H);
    MatX full(3 * H.rows(), 3 * H.rows());
    VecX unit = VecX::Zero(full.rows());
    for (Index k = 0; k < full.rows(); ++k) {
      unit[k] = 1;
      H.multiply(unit.data(), full.col(k).data());
      unit[k] = 0;
    }
    return full;
  };
  const MatX at_rest = hessian(mesh.rest, Projection::none);
  EXPECT_LT((at_rest - hessian(mesh.rest, Projection::psd)).norm(), 1e-13 * at_rest.norm());
  const Points pressed = Vec3(0.5, 0.6, 0.7).asDiagonal() * mesh.rest;
  const MatX psd = hessian(pressed, Projection::psd);
  const Eigen::SelfAdjointEigenSolver<MatX> solver(psd);
  EXPECT_GT(solver.eigenvalues()[0], -1e-12 * psd.norm());
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<MatX>(hessian(pressed, Projection::none)).eigenvalues()[0], 0);
}

TEST(QuadraticTets, SameBitsForAnyNumberOfThreads) {
  const QuadraticBox mesh = quadratic_box(5, 0.1);
  const QuadraticTetEnergy energy(mesh.rest, mesh.tets, two_groups(mesh.tets.cols()), mesh.rest.cols());
  const Points x = bent(mesh.rest);
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  const auto pattern = make_pattern(mesh.rest.cols(), pairs);
  std::vector<double> first;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    SymBlockMatrix H(pattern);
    Points g = Points::Zero(3, mesh.rest.cols());
    energy.add_derivatives(x, 1, Projection::psd, g, H);
    std::vector<double> all{energy.value(x)};
    all.insert(all.end(), g.reshaped().begin(), g.reshaped().end());
    all.insert(all.end(), H.values().begin(), H.values().end());
    if (first.empty()) first = all;
    EXPECT_EQ(first, all) << threads;
  }
}

TEST(QuadraticTets, ATetTurnedInsideOutIsRefused) {
  QuadraticBox mesh = quadratic_box(1);
  mesh.rest.col(mesh.tets(4, 0)) += 3 * (mesh.rest.col(mesh.tets(3, 0)) - mesh.rest.col(mesh.tets(4, 0)));
  const auto make = [&] {
    QuadraticTetEnergy(mesh.rest, mesh.tets, {group_of("neo_hookean", 0, mesh.tets.cols())}, mesh.rest.cols());
  };
  EXPECT_THROW(make(), InputError);
}

// The bound lies before the first inversion that dense samples of a tet find, and close to it.
TEST(QuadraticTets, StepsEndBeforeInversion) {
  const QuadraticBox mesh = quadratic_box(1, 0.05);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> move(-0.15, 0.15);
  int bounded = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Points d(3, mesh.rest.cols());
    for (double& value : d.reshaped()) value = move(random);
    for (Index t = 0; t < mesh.tets.cols(); ++t) {
      const auto A = corner_jacobians(mesh.rest, mesh.tets.col(t).data());
      const auto B = corner_jacobians(d, mesh.tets.col(t).data());
      ASSERT_GT(least_coefficient(A), 0);
      const double bound = first_inversion(A, B);
      double sampled = 2;
      constexpr int n = 8;
      for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j)
          for (int k = 0; i + j + k <= n; ++k) {
            const double l[4] = {double(i) / n, double(j) / n, double(k) / n, double(n - i - j - k) / n};
            Mat3 at = Mat3::Zero(), by = Mat3::Zero();
            for (int c = 0; c < 4; ++c) at += l[c] * A[c], by += l[c] * B[c];
            for (int step = 0; step <= 200; ++step)
              if ((at + step / 200.0 * by).determinant() <= 0) {
                sampled = std::min(sampled, step / 200.0);
                break;
              }
          }
      if (sampled > 1) continue;
      ++bounded;
      EXPECT_LE(bound, sampled * 1.0001);
      EXPECT_GE(bound, 0.9 * sampled - 0.01);
    }
  }
  EXPECT_GT(bounded, 50);
}

TEST(QuadraticTets, DivisionFillsTheTet) {
  const QuadraticBox mesh = quadratic_box(2);
  const Tets parts = divided(mesh.rest, mesh.tets);
  ASSERT_EQ(parts.cols(), 8 * mesh.tets.cols());
  double volume = 0;
  for (Index t = 0; t < parts.cols(); ++t) {
    Mat3 D;
    for (int a = 0; a < 3; ++a) D.col(a) = mesh.rest.col(parts(a + 1, t)) - mesh.rest.col(parts(0, t));
    EXPECT_GT(D.determinant(), 0);
    volume += D.determinant() / 6;
  }
  EXPECT_NEAR(volume, 0.3 * 0.2 * 0.2, 1e-14);
}

}  // namespace
}  // namespace sinew::test
