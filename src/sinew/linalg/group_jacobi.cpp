#include "sinew/linalg/group_jacobi.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Pivots below this share of the diagonal are rounding.
constexpr double least_pivot = 1e-12;

// The inverse of a block by the Cholesky factorisation of the block scaled to unit diagonal, or of the absolute values
// of its diagonal where it is not safely positive definite.
MatX inverse_of(const MatX& block) {
  const VecX diagonal = block.diagonal();
  if ((diagonal.array() > 0).all()) {
    const VecX scale = diagonal.cwiseSqrt().cwiseInverse();
    const Eigen::LLT<MatX> llt(scale.asDiagonal() * block * scale.asDiagonal());
    if (llt.info() == Eigen::Success && llt.matrixLLT().diagonal().minCoeff() > std::sqrt(least_pivot)) {
      return scale.asDiagonal() * llt.solve(MatX::Identity(block.rows(), block.cols())) * scale.asDiagonal();
    }
  }
  return diagonal.unaryExpr([](double d) { return d == 0 || !std::isfinite(d) ? 1.0 : 1 / std::abs(d); }).asDiagonal();
}

}  // namespace

// Inverts the diagonal block of each group of rows.
bool GroupJacobi::compute(const NewtonSystem& system) {
  const SymBlockMatrix& A = system.H;
  rows_ = A.rows();
  const std::size_t size = 3 * static_cast<std::size_t>(group_);
  const std::size_t count = (static_cast<std::size_t>(rows_) + group_ - 1) / group_;
  inverse_.assign(size * size * count, 0.0);
  const BlockPattern& pattern = A.pattern();
  parallel_for(
      count,
      [&](std::size_t c) {
        const Index first = static_cast<Index>(c) * group_, last = std::min(first + group_, rows_);
        MatX block = MatX::Zero(3 * (last - first), 3 * (last - first));
        for (Index i = first; i < last; ++i) {
          for (auto s = pattern.row_begin[i]; s < pattern.row_begin[i + 1] && pattern.columns[s] < last; ++s) {
            const Index j = pattern.columns[s];
            const Eigen::Map<const Mat3> value(A.block(s));
            block.block<3, 3>(3 * (i - first), 3 * (j - first)) = value;
            block.block<3, 3>(3 * (j - first), 3 * (i - first)) = value.transpose();
          }
        }
        const MatX inverse = inverse_of(block);
        std::copy_n(inverse.data(), inverse.size(), inverse_.data() + size * size * c);
      },
      16);
  return true;
}

// z = D^-1 r, a dense product for each group.
void GroupJacobi::apply(const double* r, double* z) const {
  const std::size_t size = 3 * static_cast<std::size_t>(group_);
  const std::size_t total = 3 * static_cast<std::size_t>(rows_);
  parallel_for((total + size - 1) / size,
               [&](std::size_t c) {
                 const Eigen::Index n = static_cast<Eigen::Index>(std::min(size, total - size * c));
                 const Eigen::Map<const MatX> inverse(inverse_.data() + size * size * c, n, n);
                 Eigen::Map<VecX>(z + size * c, n).noalias() = inverse * Eigen::Map<const VecX>(r + size * c, n);
               },
               64);
}

}  // namespace sinew
