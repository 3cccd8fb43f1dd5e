#include "sinew/linalg/rank_correction.h"

#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

double dot(const RankOne& term, const double* x) {
  double sum = 0;
  for (std::size_t i = 0; i < term.rows.size(); ++i)
    for (int k = 0; k < 3; ++k) sum += term.u.data()[3 * i + k] * x[3 * static_cast<std::size_t>(term.rows[i]) + k];
  return sum;
}

}  // namespace

void RankCorrection::clear() {
  terms_.clear();
  negative_ = 0;
}

bool RankCorrection::compute(const SymBlockMatrix& A, const Solve& solve) {
  clear();
  for (const RankOne& term : A.ranks())
    if (term.factor != 0) terms_.push_back(&term);
  if (terms_.empty()) return true;
  const Eigen::Index n = 3 * static_cast<Eigen::Index>(A.rows()), count = static_cast<Eigen::Index>(terms_.size());
  Z_.setZero(n, count);
  VecX column(n);
  MatX S(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const RankOne& term = *terms_[k];
    column.setZero();
    for (std::size_t i = 0; i < term.rows.size(); ++i)
      column.segment<3>(3 * static_cast<Eigen::Index>(term.rows[i])) = term.u.col(static_cast<Eigen::Index>(i));
    solve(column.data(), Z_.col(k).data());
    for (Eigen::Index j = 0; j < count; ++j) S(j, k) = dot(*terms_[j], Z_.col(k).data());
    S(k, k) += 1 / term.factor;
  }
  if (!S.allFinite()) return false;
  // Iterative solvers leave S slightly unsymmetric.
  const Eigen::SelfAdjointEigenSolver<MatX> eigen((S + S.transpose()) / 2);
  const VecX& values = eigen.eigenvalues();
  const double largest = values.cwiseAbs().maxCoeff();
  if (!(values.cwiseAbs().minCoeff() > std::numeric_limits<double>::epsilon() * largest)) return false;
  negative_ = static_cast<Index>((values.array() < 0).count());
  for (const RankOne* term : terms_) negative_ -= term->factor < 0 ? 1 : 0;
  inverse_ = eigen.eigenvectors() * values.cwiseInverse().asDiagonal() * eigen.eigenvectors().transpose();
  at_.resize(count);
  return true;
}

void RankCorrection::correct(double* x) const {
  if (terms_.empty()) return;
  for (Eigen::Index k = 0; k < at_.size(); ++k) at_[k] = dot(*terms_[k], x);
  at_ = inverse_ * at_;
  parallel_chunks(static_cast<std::size_t>(Z_.rows()), 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (Eigen::Index k = 0; k < at_.size(); ++k) {
      const double* z = Z_.col(k).data();
      for (std::size_t i = begin; i < end; ++i) x[i] -= at_[k] * z[i];
    }
  });
}

}  // namespace sinew
