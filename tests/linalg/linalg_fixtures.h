// Block matrices for the tests of linalg: random patterns, tet grids, and their dense counterparts.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "sinew/linalg/block_matrix.h"

namespace sinew::test {

using Pairs = std::vector<std::pair<Index, Index>>;

inline Pairs random_pairs(Index rows, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<Index> row(0, rows - 1);
  Pairs pairs(count);
  for (auto& p : pairs) p = {row(random), row(random)};
  return pairs;
}

// Edges of a grid of nx x ny x nz vertices whose cubes are cut into six tets each (Kuhn).
inline Pairs grid_pairs(Index nx, Index ny, Index nz) {
  Pairs pairs;
  const auto id = [&](Index i, Index j, Index k) { return (i * ny + j) * nz + k; };
  for (Index i = 0; i < nx; ++i)
    for (Index j = 0; j < ny; ++j)
      for (Index k = 0; k < nz; ++k)
        for (int m = 1; m < 8; ++m) {
          const Index a = i + (m & 1), b = j + (m >> 1 & 1), c = k + (m >> 2);
          if (a < nx && b < ny && c < nz) pairs.emplace_back(id(i, j, k), id(a, b, c));
        }
  return pairs;
}

// Random entries with a symmetric diagonal block; `shift` times the row's absolute sum is added to the diagonal (above
// 1: positive definite).
inline void fill_random(SymBlockMatrix& A, unsigned seed, double shift) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> entry(-1, 1);
  std::vector<double> sums(3 * static_cast<std::size_t>(A.rows()), 0.0);
  const BlockPattern& pattern = A.pattern();
  for (Index row = 0; row < A.rows(); ++row) {
    for (std::int64_t k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
      const Index column = pattern.columns[k];
      double* B = A.block(k);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
          B[3 * c + r] = row == column && r > c ? 0 : entry(random);
          sums[3 * static_cast<std::size_t>(row) + r] += std::abs(B[3 * c + r]);
          sums[3 * static_cast<std::size_t>(column) + c] += std::abs(B[3 * c + r]);
        }
      if (row == column)
        for (int c = 0; c < 3; ++c)
          for (int r = c + 1; r < 3; ++r) B[3 * c + r] = B[3 * r + c];
    }
  }
  for (Index row = 0; row < A.rows(); ++row)
    for (int a = 0; a < 3; ++a)
      A.block(pattern.row_begin[row])[4 * a] += shift * sums[3 * static_cast<std::size_t>(row) + a];
}

inline MatX dense(const SymBlockMatrix& A) {
  MatX result = MatX::Zero(3 * A.rows(), 3 * A.rows());
  for (Index row = 0; row < A.rows(); ++row)
    for (std::int64_t k = A.pattern().row_begin[row]; k < A.pattern().row_begin[row + 1]; ++k) {
      const Eigen::Map<const Mat3> B(A.block(k));
      result.block<3, 3>(3 * row, 3 * A.pattern().columns[k]) = B;
      result.block<3, 3>(3 * A.pattern().columns[k], 3 * row) = B.transpose();
    }
  return result;
}

inline VecX random_vector(Eigen::Index size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> entry(-1, 1);
  VecX v(size);
  for (Eigen::Index i = 0; i < size; ++i) v[i] = entry(random);
  return v;
}

inline SymBlockMatrix random_matrix(std::shared_ptr<const BlockPattern> pattern, unsigned seed, double shift = 1.01) {
  SymBlockMatrix A(std::move(pattern));
  fill_random(A, seed, shift);
  return A;
}

}  // namespace sinew::test
