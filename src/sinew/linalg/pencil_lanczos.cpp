#include "sinew/linalg/pencil_lanczos.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/linalg/dense_decompositions.h"

namespace sinew {
namespace {

// A vector of which orthogonalisation leaves less than this share is linearly dependent to rounding.
constexpr double least_remainder = 1e-12;

// A linear congruential generator (Knuth's MMIX), so that results repeat.
MatX random_block(Index rows, Index columns) {
  std::uint64_t random = 1;
  MatX block(rows, columns);
  for (double& value : block.reshaped()) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    value = static_cast<double>(random >> 11) * 0x1p-53 - 0.5;
  }
  return block;
}

// A basis V, orthonormal in B, with B V and S V of S = B^-1 A, which is self-adjoint in the inner product of B. Its
// projection is V^T A V = (B V)^T (S V).
class PencilBasis {
 public:
  PencilBasis(const Pencil& pencil, Index capacity)
      : pencil_(pencil), V_(pencil.rows, capacity), BV_(pencil.rows, capacity), SV_(pencil.rows, capacity) {}

  Index size() const { return size_; }
  MatX projected() const {
    const MatX T = BV_.leftCols(size_).transpose() * SV_.leftCols(size_);
    return (T + T.transpose()) / 2;
  }

  // Appends Q, orthonormal in B and orthogonal to V. Returns S Q.
  MatX append(const MatX& Q, const MatX& BQ) {
    const MatX SQ = pencil_.solve_b(pencil_.multiply_a(Q));
    V_.middleCols(size_, Q.cols()) = Q;
    BV_.middleCols(size_, Q.cols()) = BQ;
    SV_.middleCols(size_, Q.cols()) = SQ;
    size_ += static_cast<Index>(Q.cols());
    return SQ;
  }

  // Gram-Schmidt in the inner product of B, twice: W becomes the columns that V and the columns before do not span, and
  // BW their products with B.
  void orthonormalise(MatX& W, MatX& BW) const {
    const auto V = V_.leftCols(size_);
    const auto BV = BV_.leftCols(size_);
    BW = pencil_.multiply_b(W);
    const VecX before = W.cwiseProduct(BW).colwise().sum().cwiseMax(0).cwiseSqrt();
    for (int pass = 0; pass < 2; ++pass) W -= V * (BV.transpose() * W);
    BW = pencil_.multiply_b(W);
    Index kept = 0;
    for (Index j = 0; j < W.cols(); ++j) {
      VecX w = W.col(j), bw = BW.col(j);
      for (int pass = 0; pass < 2; ++pass) {
        const VecX share = BW.leftCols(kept).transpose() * w;
        w -= W.leftCols(kept) * share;
        bw -= BW.leftCols(kept) * share;
      }
      const double square = w.dot(bw), norm = std::sqrt(std::max(0.0, square));
      if (!(norm > least_remainder * before[j])) continue;
      W.col(kept) = w / norm;
      BW.col(kept++) = bw / norm;
    }
    W.conservativeResize(Eigen::NoChange, kept);
    BW.conservativeResize(Eigen::NoChange, kept);
    if (kept > 0) BW = pencil_.multiply_b(W);  // without the rounding of the sums
  }

  // |S y - theta y|_B of Ritz vectors y = V s.
  VecX residuals(const MatX& S, const VecX& theta) const {
    MatX R = SV_.leftCols(size_) * S;
    R -= V_.leftCols(size_) * S * theta.asDiagonal();
    return R.cwiseProduct(pencil_.multiply_b(R)).colwise().sum().cwiseMax(0).cwiseSqrt();
  }

  // Thick restart: V becomes the Ritz vectors V S.
  void restart(const MatX& S) {
    for (MatX* columns : {&V_, &BV_, &SV_}) {
      const MatX combined = columns->leftCols(size_) * S;
      columns->leftCols(S.cols()) = combined;
    }
    size_ = static_cast<Index>(S.cols());
  }

  MatX vectors(const MatX& S) const { return V_.leftCols(size_) * S; }

 private:
  const Pencil& pencil_;
  MatX V_, BV_, SV_;
  Index size_ = 0;
};

}  // namespace

Eigenpairs largest_pencil_pairs(const Pencil& pencil, Index count, const PencilOptions& options) {
  const Index n = pencil.rows;
  count = std::min(count, n);
  if (count <= 0) return {VecX(0), MatX(n, 0)};
  const Index block = std::min(options.block, n);
  // Twice the pairs (Lehoucq, Sorensen and Yang 1998, section 4.5) and three blocks.
  const Index capacity = 2 * count + 3 * block;
  PencilBasis basis(pencil, capacity);
  MatX Q = pencil.solve_b(random_block(n, block)), BQ;
  basis.orthonormalise(Q, BQ);
  Index converged = 0;
  for (Index restart = 0;; ++restart) {
    while (Q.cols() > 0 && basis.size() + Q.cols() <= capacity) {
      Q = basis.append(Q, BQ);
      basis.orthonormalise(Q, BQ);
      if (options.after_block) options.after_block(converged);
    }
    const SymmetricEigen ritz = symmetric_eigen(basis.projected());
    if (!ritz.converged)
      throw SimulationError(code::factorization,
                            fmt::format("the Lanczos method met values that are not finite ({} unknowns)", n));
    const Index size = basis.size(), wanted = std::min(count, size);
    const VecX theta = ritz.values.reverse();
    const MatX S = ritz.vectors.rowwise().reverse();
    const VecX residuals = basis.residuals(S.leftCols(wanted), theta.head(wanted));
    const double floor = options.floor * theta.cwiseAbs().maxCoeff();
    converged = 0;
    while (converged < wanted &&
           residuals[converged] <= options.tolerance * std::max(std::abs(theta[converged]), floor))
      ++converged;
    // Without a next block the basis spans all that the pencil has.
    if (converged == wanted || Q.cols() == 0) return {theta.head(wanted), basis.vectors(S.leftCols(wanted))};
    if (restart == options.restarts)
      throw SimulationError(
          code::factorization,
          fmt::format("the Lanczos method found {} of {} eigenpairs of {} unknowns in {} restarts (residual {:.1e} of "
                      "the next, {:.1e} wanted): ask for fewer eigenpairs",
                      converged, wanted, n, restart, residuals[converged],
                      options.tolerance * std::abs(theta[converged])));
    basis.restart(S.leftCols(std::min(size - 1, count + std::min(converged, (size - count) / 2))));
  }
}

}  // namespace sinew
