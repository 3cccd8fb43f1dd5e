#include "sinew/kinematics/coordinate_hessian.h"

#include <cmath>

#include <Eigen/Dense>

namespace sinew {

void CoordinateHessian::add_rank(double factor, const MatX& G) {
  Rank& rank = ranks_.emplace_back();
  rank.factor = factor;
  pull_back(G, rank.u);
}

void CoordinateHessian::diagonal(MatX& D) {
  diagonal_of_blocks(D);
  for (const Rank& rank : ranks_) D += rank.factor * rank.u.cwiseAbs2();
}

void CoordinateHessian::multiply(const MatX& d, MatX& Hd) {
  multiply_blocks(d, Hd);
  for (const Rank& rank : ranks_) Hd += rank.factor * rank.u.cwiseProduct(d).sum() * rank.u;
}

// Z = B^-1 U and S = C^-1 + U^T Z. B may be unsymmetric, and then S is.
bool CoordinateHessian::factor() {
  if (!factor_blocks()) return false;
  if (ranks_.empty()) return true;
  const auto count = static_cast<Eigen::Index>(ranks_.size());
  MatX S(count, count);
  for (Rank& rank : ranks_) {
    rank.solved.resize(rank.u.rows(), rank.u.cols());
    solve_blocks(rank.u, rank.solved);
    rank.solved *= -1;
  }
  for (Eigen::Index j = 0; j < count; ++j)
    for (Eigen::Index k = 0; k < count; ++k)
      S(j, k) = ranks_[j].u.cwiseProduct(ranks_[k].solved).sum() + (j == k ? 1 / ranks_[k].factor : 0.0);
  inverse_ = S.inverse();
  return inverse_.allFinite();
}

void CoordinateHessian::solve(const MatX& g, MatX& d) {
  solve_blocks(g, d);
  if (ranks_.empty()) return;
  const auto count = static_cast<Eigen::Index>(ranks_.size());
  along_.resize(count);
  for (Eigen::Index k = 0; k < count; ++k) along_[k] = ranks_[k].u.cwiseProduct(d).sum();
  along_ = inverse_ * along_;
  for (Eigen::Index k = 0; k < count; ++k) d -= along_[k] * ranks_[k].solved;
}

}  // namespace sinew
