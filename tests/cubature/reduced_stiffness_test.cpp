// The reduced Hessian by each rule against the sum over all tets.
#include "cubature/fixtures.h"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

using namespace test;

constexpr double poisson = 0.4;

// U^T K U of linear elasticity over the tets with these weights.
MatX reduced_stiffness(const Blocks& all, const Cubature& rule) {
  const Domain& domain = all.domain;
  const Index size = 12 * all.basis.handle_count();
  MatX K = MatX::Zero(size, size);
  for (Index point = 0; point < rule.point_count(); ++point) {
    const Index e = rule.tets[point];
    const auto gradients = hat_gradients(domain.vertices, domain.tets, e);
    MatX G = MatX::Zero(size / 3, 3);
    for (int c = 0; c < 4; ++c) {
      const Index v = domain.tets(c, e);
      for (auto p = all.basis.begin[v]; p < all.basis.begin[v + 1]; ++p) {
        const Index i = all.basis.handle[p];
        const Vec3 s = (domain.vertices.col(v) - all.basis.center[i]) / all.basis.radius[i];
        G.middleRows(4 * i, 4) +=
            all.basis.weight[p] * Eigen::Vector4d(1, s[0], s[1], s[2]) * gradients.col(c).transpose();
      }
    }
    const double E = domain.young[e] * domain.volume[e] * rule.weights[point];
    const double mu = E / (2 * (1 + poisson)), lambda = E * poisson / ((1 + poisson) * (1 - 2 * poisson));
    const MatX products = G * G.transpose();
    for (Index a = 0; a < size; ++a) {
      for (Index b = 0; b <= a; ++b) {
        K(a, b) += (a % 3 == b % 3 ? mu * products(a / 3, b / 3) : 0.0) + mu * G(a / 3, b % 3) * G(b / 3, a % 3) +
                   lambda * G(a / 3, a % 3) * G(b / 3, b % 3);
      }
    }
  }
  K.triangularView<Eigen::StrictlyUpper>() = K.transpose();
  return K;
}

struct Spread {
  double least = 0, most = 0;
};

// Ratios of the rule's energy to the full one over all displacements but rigid ones.
Spread energy_ratios(const Blocks& all, const Cubature& rule) {
  const MatX K = reduced_stiffness(all, full_cubature(all.domain.tet_count()));
  const Eigen::SelfAdjointEigenSolver<MatX> full(K);
  const auto rank = (full.eigenvalues().array() > 1e-9 * full.eigenvalues().maxCoeff()).count();
  const MatX whitening =
      full.eigenvectors().rightCols(rank) * full.eigenvalues().tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  const MatX ratio = whitening.transpose() * reduced_stiffness(all, rule) * whitening;
  const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(ratio, Eigen::EigenvaluesOnly).eigenvalues();
  return {values.minCoeff(), values.maxCoeff()};
}

Blocks with_inclusion(Index cells, Index blocks, double contrast) {
  Blocks all = make_blocks(cells, blocks);
  for (Index e = 0; e < all.domain.tet_count(); ++e) {
    if (barycentre(all.domain, e).norm() < 0.25) test::set_stiffness(all.domain, e, contrast * all.domain.young[e]);
  }
  return all;
}

TEST(ReducedStiffness, AllTetsAreExact) {
  const Blocks all = make_blocks(6, 2);
  const Spread spread = energy_ratios(all, rule_of(all, options_of("all", 2)));
  EXPECT_NEAR(spread.least, 1, 1e-9);
  EXPECT_NEAR(spread.most, 1, 1e-9);
}

TEST(ReducedStiffness, ComesCloserWithTheDegree) {
  const Blocks all = make_blocks(10, 2);
  const auto width = [&](const char* method, int degree) {
    const Spread spread = energy_ratios(all, rule_of(all, options_of(method, degree)));
    EXPECT_GT(spread.least, 0.0);
    return spread.most / spread.least;
  };
  EXPECT_LT(width("modal", 2), 0.7 * width("modal", 1));
  EXPECT_LT(width("polynomial", 6), 0.7 * width("polynomial", 3));
}

TEST(ReducedStiffness, StiffnessFittingBoundsEnergies) {
  for (const double contrast : {1.0, 1e6}) {
    const Blocks all = with_inclusion(12, 2, contrast);
    CubatureOptions options = options_of("stiffness", 2);
    CubatureReport report;
    const Cubature rule = rule_of(all, options, &report);
    EXPECT_EQ(report.fitting.full_clusters, 0);
    EXPECT_LT(rule.point_count(), all.domain.tet_count() / 6) << contrast;
    const Spread spread = energy_ratios(all, rule);
    EXPECT_GT(spread.least, 0.3) << contrast;
    EXPECT_LT(spread.most, 3) << contrast;
    options.stiffness.density = 24;
    const Spread closer = energy_ratios(all, rule_of(all, options));
    EXPECT_GT(closer.least, spread.least);
    EXPECT_LT(closer.most, spread.most);
  }
}

TEST(StiffnessFitting, SameBitsForAnyNumberOfThreads) {
  const Blocks all = make_blocks(10, 2);
  const Cubature first = rule_of(all, options_of("stiffness", 2));
  const ThreadLimit one(1);
  const Cubature alone = rule_of(all, options_of("stiffness", 2));
  EXPECT_EQ(first.tets, alone.tets);
  EXPECT_EQ(first.weights, alone.weights);
}

TEST(StiffnessFitting, ClustersWithoutHandlesAndOfFewTets) {
  Blocks all = make_blocks(6, 2);
  Blocks none = all;
  none.basis.begin.assign(none.domain.vertex_count() + 1, 0);
  none.basis.handle.clear();
  none.basis.weight.clear();
  none.partition.center.push_back(0);
  CubatureReport report;
  EXPECT_EQ(rule_of(none, options_of("stiffness", 2), &report).point_count(), 8);
  for (Index e = 0; e < all.domain.tet_count(); ++e) all.partition.tet_cluster[e] = e;
  all.partition.center.assign(all.domain.tet_count(), 0);
  const Cubature each = rule_of(all, options_of("stiffness", 2), &report);
  EXPECT_EQ(each.point_count(), all.domain.tet_count());
  EXPECT_THAT(each.weights, testing::Each(1.0));
  CubatureOptions options = options_of("stiffness", 2);
  options.stiffness.density = 0;
  EXPECT_ANY_THROW(rule_of(all, options));
}

TEST(StiffnessFitting, ThinTetsAndWildStiffness) {
  Blocks all = make_blocks(10, 2);
  for (Index v = 0; v < all.domain.vertex_count(); ++v) all.domain.vertices(2, v) *= 1e-4;
  for (Index e = 0; e < all.domain.tet_count(); ++e) {
    all.domain.volume[e] *= 1e-4;
    test::set_stiffness(all.domain, e, all.domain.young[e] * std::pow(10.0, e * 31 % 7));
  }
  const Cubature rule = rule_of(all, options_of("stiffness", 2));
  EXPECT_GT(rule.point_count(), 8);
  EXPECT_LT(rule.point_count(), all.domain.tet_count() / 2);
  for (const double w : rule.weights) EXPECT_TRUE(w > 0 && std::isfinite(w));
}

}  // namespace
}  // namespace sinew
