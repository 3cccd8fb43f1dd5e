#include "sinew/linalg/lanczos.h"

#include <cmath>

#include "linalg/grid_laplacian.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

std::vector<double> grid_eigenvalues(Index a, Index b, Index c) {
  std::vector<double> values;
  auto one = [](Index i, Index n) { return 2 - 2 * std::cos(M_PI * i / n); };
  for (Index k = 0; k < c; ++k) {
    for (Index j = 0; j < b; ++j) {
      for (Index i = 0; i < a; ++i) values.push_back(one(i, a) + one(j, b) + one(k, c));
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

void expect_eigenpairs(const SparseMatrix& A, const VecX& mass, const Eigenpairs& pairs) {
  const auto k = static_cast<Index>(pairs.values.size());
  const MatX gram = pairs.vectors.transpose() * mass.asDiagonal() * pairs.vectors;
  EXPECT_LT((gram - MatX::Identity(k, k)).cwiseAbs().maxCoeff(), 1e-12);
  const MatX residual = A * pairs.vectors - mass.asDiagonal() * pairs.vectors * pairs.values.asDiagonal();
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Lanczos, EigenvaluesOfGrids) {
  for (const auto& [a, b, c] : {std::array<Index, 3>{40, 25, 1}, {12, 12, 12}, {600, 1, 1}}) {
    const SparseMatrix A = test::grid_laplacian(a, b, c);
    const VecX mass = VecX::Ones(A.cols());
    for (Index count : {1, 7, 50}) {
      const Eigenpairs pairs = lowest_eigenpairs(A, mass, count, 1e-2);
      ASSERT_EQ(pairs.values.size(), count);
      expect_eigenpairs(A, mass, pairs);
      const auto exact = grid_eigenvalues(a, b, c);
      for (Index i = 0; i < count; ++i) EXPECT_NEAR(pairs.values[i], exact[i], 1e-9) << a << ' ' << count << ' ' << i;
    }
  }
}

TEST(Lanczos, MassOfManySizes) {
  const SparseMatrix A = test::grid_laplacian(15, 10, 5);
  VecX mass(A.cols());
  for (Index i = 0; i < mass.size(); ++i) mass[i] = std::pow(10.0, -(i % 5));
  expect_eigenpairs(A, mass, lowest_eigenpairs(A, mass, 12, 1e-2));
}

TEST(Lanczos, AllOfASmallMatrix) {
  const SparseMatrix A = test::grid_laplacian(3, 2, 1);
  const Eigenpairs pairs = lowest_eigenpairs(A, VecX::Ones(6), 100, 1);
  ASSERT_EQ(pairs.values.size(), 6);
  const auto exact = grid_eigenvalues(3, 2, 1);
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(pairs.values[i], exact[i], 1e-13);
  EXPECT_EQ(lowest_eigenpairs(A, VecX::Ones(6), 0, 1).values.size(), 0);
}

TEST(Lanczos, RefusesIndefinite) {
  SparseMatrix A = test::grid_laplacian(3, 2, 1);
  A *= -1;
  EXPECT_THROW(lowest_eigenpairs(A, VecX::Ones(6), 2, 1e-3), SimulationError);
}

}  // namespace
}  // namespace sinew
