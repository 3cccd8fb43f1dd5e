#include "sinew/linalg/nnls.h"

#include <cmath>
#include <random>

#include "linalg/linalg_fixtures.h"
#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace sinew {
namespace {

using namespace test;

MatX random_matrix_of(Index rows, Index columns, unsigned seed) {
  return random_vector(rows * columns, seed).reshaped(rows, columns);
}

// Lawson & Hanson (1974), chapter 23, with an orthogonal factorisation for each least squares problem.
VecX reference(const MatX& A, const VecX& b) {
  const auto n = A.cols();
  VecX x = VecX::Zero(n);
  std::vector<Index> passive;
  const double floor = 1e-12 * A.norm() * b.norm();
  const auto solution = [&] {
    MatX P(A.rows(), static_cast<Eigen::Index>(passive.size()));
    for (std::size_t k = 0; k < passive.size(); ++k) P.col(k) = A.col(passive[k]);
    const VecX z = P.completeOrthogonalDecomposition().solve(b);
    VecX all = VecX::Zero(n);
    for (std::size_t k = 0; k < passive.size(); ++k) all[passive[k]] = z[k];
    return all;
  };
  for (int iteration = 0; iteration < 30 * n; ++iteration) {
    VecX gradient = A.transpose() * (b - A * x);
    for (const Index j : passive) gradient[j] = 0;
    Eigen::Index best = 0;
    if (n == 0 || gradient.maxCoeff(&best) <= floor) break;
    passive.push_back(static_cast<Index>(best));
    for (;;) {
      const VecX z = solution();
      double step = 1;
      for (const Index j : passive) {
        if (z[j] <= 0) step = std::min(step, x[j] / std::max(x[j] - z[j], 1e-300));
      }
      x += step * (z - x);
      if (step == 1) break;
      std::erase_if(passive, [&](Index j) { return z[j] <= 0 && x[j] <= 1e-15; });
      for (Index j = 0; j < n; ++j) {
        if (std::find(passive.begin(), passive.end(), j) == passive.end()) x[j] = 0;
      }
    }
  }
  return x;
}

// The conditions of the minimum, relative to |a_j| |b|.
void expect_minimum(const MatX& A, const VecX& b, const NnlsResult& result, double tolerance) {
  ASSERT_EQ(result.x.size(), A.cols());
  EXPECT_TRUE(result.converged);
  const VecX r = b - A * result.x;
  EXPECT_NEAR(result.residual, r.norm(), tolerance * b.norm());
  std::vector<Index> positive;
  for (Index j = 0; j < A.cols(); ++j) {
    const double gradient = A.col(j).dot(r), scale = tolerance * A.col(j).norm() * b.norm();
    EXPECT_GE(result.x[j], 0.0);
    EXPECT_LE(gradient, scale) << "column " << j;
    if (result.x[j] > 0) {
      EXPECT_GE(gradient, -scale) << "column " << j;
      positive.push_back(j);
    }
  }
  EXPECT_EQ(result.passive, positive);
}

TEST(Nnls, AgreesWithTheReferenceOnRandomProblems) {
  for (const auto& [m, n] : {std::pair{1, 1}, {5, 3}, {20, 20}, {60, 25}, {25, 60}, {120, 80}, {40, 200}}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const MatX A = random_matrix_of(m, n, seed);
      const VecX b = random_vector(m, seed + 100);
      const NnlsResult result = nnls(A, b);
      expect_minimum(A, b, result, 1e-12);
      const VecX x = reference(A, b);
      EXPECT_NEAR(result.residual, (A * x - b).norm(), 1e-12 * b.norm()) << m << " x " << n;
      if (n <= m) {  // unique
        EXPECT_LE((result.x - x).norm(), 1e-9 * x.norm()) << m << " x " << n;
      }
    }
  }
}

TEST(Nnls, FindsARuleForMomentsThatHasOne) {
  for (const auto& [m, n] : {std::pair{30, 100}, {80, 400}, {200, 500}}) {
    const MatX A = random_matrix_of(m, n, 3);
    const VecX b = A * VecX::Ones(n);
    const NnlsResult result = nnls(A, b, {.tolerance = 1e-9});
    EXPECT_TRUE(result.converged);
    EXPECT_LE((A * result.x - b).norm(), 1e-9 * b.norm());
    EXPECT_LE(result.passive.size(), static_cast<std::size_t>(m));
    EXPECT_GE(result.x.minCoeff(), 0.0);
  }
}

TEST(Nnls, DependentAndEmptyColumns) {
  const MatX B = random_matrix_of(30, 12, 5);
  MatX A(30, 40);
  A << B, B, 3 * B.leftCols(6), MatX::Zero(30, 4), B * random_matrix_of(12, 6, 6);
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const VecX b = random_vector(30, seed);
    const NnlsResult result = nnls(A, b);
    expect_minimum(A, b, result, 1e-12);
    EXPECT_NEAR(result.residual, (A * reference(A, b) - b).norm(), 1e-12 * b.norm());
    for (Index j = 30; j < 34; ++j) EXPECT_EQ(result.x[j], 0.0);
  }
}

TEST(Nnls, NearlyDependentColumns) {
  const MatX B = random_matrix_of(30, 12, 5);
  for (const double angle : {1e-4, 1e-6, 1e-8, 1e-10, 1e-14}) {
    MatX A(30, 24);
    A << B, B + angle * random_matrix_of(30, 12, 7);
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const VecX b = random_vector(30, seed);
      const NnlsResult result = nnls(A, b);
      expect_minimum(A, b, result, 1e-5);
      EXPECT_LE(result.residual, (A * reference(A, b) - b).norm() + 1e-5 * b.norm()) << angle;
    }
  }
}

TEST(Nnls, TrivialAndInfeasible) {
  const MatX A = random_matrix_of(10, 6, 1).cwiseAbs();
  const NnlsResult zero = nnls(A, VecX::Zero(10));
  EXPECT_TRUE(zero.converged);
  EXPECT_EQ(zero.x, VecX::Zero(6));
  EXPECT_EQ(zero.residual, 0.0);

  const VecX outside = -VecX::Ones(10);  // every column points away
  const NnlsResult away = nnls(A, outside);
  EXPECT_TRUE(away.converged);
  EXPECT_TRUE(away.passive.empty());
  EXPECT_NEAR(away.residual, outside.norm(), 1e-14);

  const NnlsResult none = nnls(MatX(10, 0), outside);
  EXPECT_TRUE(none.converged);
  EXPECT_EQ(none.x.size(), 0);
  EXPECT_TRUE(nnls(MatX(0, 3), VecX(0)).converged);
  const NnlsResult empty = nnls(MatX::Zero(10, 4), outside);
  EXPECT_TRUE(empty.converged);
  EXPECT_EQ(empty.x, VecX::Zero(4));

  const NnlsResult one = nnls(A.col(2), 7 * A.col(2));
  EXPECT_NEAR(one.x[0], 7, 1e-14);
}

TEST(Nnls, ScaleOfColumnsAndTargetDoesNotMatter) {
  const Index m = 50, n = 90;
  const MatX A = random_matrix_of(m, n, 2);
  const VecX b = A * random_vector(n, 3).cwiseAbs() + 0.1 * random_vector(m, 4);
  const NnlsResult plain = nnls(A, b);
  VecX scale(n);
  for (Index j = 0; j < n; ++j) scale[j] = std::pow(2.0, (j * 37) % 400 - 200);
  const double size = std::pow(2.0, 300);
  const NnlsResult scaled = nnls(A * scale.asDiagonal(), size * b);
  EXPECT_TRUE(scaled.converged);
  EXPECT_EQ(scaled.passive, plain.passive);
  const VecX x = scaled.x.cwiseProduct(scale) / size;
  EXPECT_LE((x - plain.x).norm(), 1e-12 * plain.x.norm());
}

TEST(Nnls, IllConditionedColumns) {
  // Monomials of points on [0, 1]: 12 moments of condition 1e8 and more.
  const Index m = 12, n = 60;
  MatX A(m, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) A(i, j) = std::pow((j + 0.5) / n, i);
  }
  const VecX b = A * VecX::Constant(n, 1.0 / n);
  const NnlsResult result = nnls(A, b);
  EXPECT_TRUE(result.converged);
  EXPECT_LE((A * result.x - b).norm(), 1e-7 * b.norm());
  EXPECT_LE(result.passive.size(), static_cast<std::size_t>(m));
}

TEST(Nnls, ManyDegenerateVertices) {
  // Columns of zeros and ones with a target on many faces of their cone at once.
  std::mt19937 random(8);
  for (int round = 0; round < 50; ++round) {
    const Index m = 12, n = 40;
    MatX A(m, n);
    for (auto& a : A.reshaped()) a = random() % 3 == 0;
    VecX b = VecX::Zero(m);
    for (int k = 0; k < 4; ++k) b += A.col(random() % n);
    const NnlsResult result = nnls(A, b);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.residual, 1e-13 * std::max(b.norm(), 1.0));
  }
}

TEST(Nnls, WarmStartsAndColumnsInLots) {
  const MatX A = random_matrix_of(60, 300, 9);
  const VecX b = random_vector(60, 10);
  const NnlsResult cold = nnls(A, b);
  const NnlsResult warm = nnls(A, b, {}, cold.passive);
  expect_minimum(A, b, warm, 1e-12);
  EXPECT_LE(warm.iterations, 6);
  EXPECT_NEAR(warm.residual, cold.residual, 1e-12);
  std::vector<Index> all(300);
  for (Index j = 0; j < 300; ++j) all[j] = j;
  expect_minimum(A, b, nnls(A, b, {}, all), 1e-12);

  Nnls lots(b);
  NnlsResult last;
  double before = b.norm();
  for (Index lot = 0; lot < 6; ++lot) {
    lots.add_columns(A.middleCols(50 * lot, 50));
    last = lots.solve();
    expect_minimum(A.leftCols(50 * (lot + 1)), b, last, 1e-12);
    EXPECT_LE(last.residual, before + 1e-14);
    before = last.residual;
    EXPECT_LE((lots.residual() - (b - A.leftCols(50 * (lot + 1)) * last.x)).norm(), 1e-13);
  }
  EXPECT_NEAR(last.residual, cold.residual, 1e-12);
}

TEST(Nnls, StopsAtTheLimitAndSaysSo) {
  const MatX A = random_matrix_of(60, 300, 9);
  const VecX b = A * VecX::Ones(300);
  const NnlsResult result = nnls(A, b, {.max_iterations = 2});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_GE(result.x.minCoeff(), 0.0);
  EXPECT_NEAR(result.residual, (A * result.x - b).norm(), 1e-12 * b.norm());
}

TEST(Nnls, SameBitsInEachRun) {
  const MatX A = random_matrix_of(80, 200, 11);
  const VecX b = random_vector(80, 12);
  const NnlsResult first = nnls(A, b), second = nnls(A, b);
  EXPECT_EQ(first.x, second.x);
  EXPECT_EQ(first.iterations, second.iterations);
}

}  // namespace
}  // namespace sinew
