#include "sinew/linalg/passive_columns.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Householder>

namespace sinew {
namespace {

// Squared sine of a column's angle to the span of the others, at which rounding begins to decide it.
constexpr double dependent_pivot = 1e-12;

}  // namespace

void PassiveColumns::reserve(Index rows, Index count) {
  const auto capacity = static_cast<Index>(P_.cols());
  if (P_.rows() == rows && count <= capacity) return;
  const Index size = std::max(count, capacity + capacity / 2);
  P_.conservativeResize(rows, size);
  L_.conservativeResize(size, size);
}

// Adds columns to P and extends the factor L of its Gram matrix P^T P = L L^T. Returns which ones are taken.
std::vector<char> PassiveColumns::append(const MatX& columns) {
  const auto m = static_cast<Index>(columns.rows()), k = static_cast<Index>(columns.cols());
  reserve(m, count_ + k);
  const Index p = count_;
  // Cholesky factor of the bordered Gram matrix of [P C], C the new columns:
  //   [ L    0  ]   with W = L^-1 P^T C and L_S L_S^T = S = C^T C - W^T W, the Schur complement.
  //   [ W^T  L_S ]
  MatX W = P_.leftCols(p).transpose() * columns;
  if (p > 0) L_.topLeftCorner(p, p).triangularView<Eigen::Lower>().solveInPlace(W);
  MatX S = columns.transpose() * columns;
  S.noalias() -= W.transpose() * W;

  // L_S row by row. The pivot of column j is the squared distance of this unit vector to the span of the columns before
  // it; a column whose pivot is rounding is left out.
  std::vector<char> taken(k, 0);
  std::vector<Index> kept;
  MatX factor = MatX::Zero(k, k);
  for (Index j = 0; j < k; ++j) {
    const auto size = static_cast<Index>(kept.size());
    VecX row(size);
    double pivot = S(j, j);
    for (Index i = 0; i < size; ++i) {
      row[i] = (S(j, kept[i]) - row.head(i).dot(factor.row(i).head(i))) / factor(i, i);
      pivot -= row[i] * row[i];
    }
    if (!(pivot > dependent_pivot) || p + size == m) continue;
    factor.row(size).head(size) = row;
    factor(size, size) = std::sqrt(pivot);
    L_.row(p + size).head(p) = W.col(j);
    L_.row(p + size).segment(p, size) = row;
    L_(p + size, p + size) = factor(size, size);
    P_.col(p + size) = columns.col(j);
    kept.push_back(j);
    taken[j] = 1;
  }
  count_ += static_cast<Index>(kept.size());
  return taken;
}

// Takes columns out of P and restores the factor of the Gram matrix of the others. O(count^2) for each row behind the
// first column that leaves.
void PassiveColumns::remove(const std::vector<char>& gone) {
  std::vector<Index> kept;
  for (Index i = 0; i < count_; ++i) {
    if (!gone[i]) kept.push_back(i);
  }
  const auto size = static_cast<Index>(kept.size());
  Index first = 0;
  while (first < size && kept[first] == first) ++first;
  for (Index i = first; i < size; ++i) P_.col(i) = P_.col(kept[i]);

  // The kept rows T of L satisfy T T^T = P^T P for the kept columns P, but T is no longer triangular. Householder
  // reflections from the right, T Q, make it triangular again and leave T T^T as it is.
  for (Index j = 0; j < count_; ++j) {
    double* column = L_.col(j).data();
    for (Index i = first; i < size; ++i) column[i] = kept[i] >= j ? column[kept[i]] : 0.0;
  }
  VecX essential, workspace(size);
  for (Index i = first; i < size; ++i) {
    const Index width = kept[i] - i + 1;
    double tau = 0, beta = 0;
    const VecX row = L_.row(i).segment(i, width).transpose();
    essential.resize(width - 1);
    row.makeHouseholder(essential, tau, beta);
    L_(i, i) = beta;
    L_.row(i).segment(i + 1, width - 1).setZero();
    L_.block(i + 1, i, size - i - 1, width).applyHouseholderOnTheRight(essential, tau, workspace.data());
  }
  count_ = size;
}

VecX PassiveColumns::least_squares(const VecX& r) const {
  VecX z = P_.leftCols(count_).transpose() * r;
  if (count_ == 0) return z;
  const auto L = L_.topLeftCorner(count_, count_).triangularView<Eigen::Lower>();
  L.solveInPlace(z);
  L.transpose().solveInPlace(z);
  return z;
}

}  // namespace sinew
