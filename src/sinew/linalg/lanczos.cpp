#include "sinew/linalg/lanczos.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_decompositions.h"

namespace sinew {
namespace {

constexpr std::size_t row_chunk = 4096;
// A vector of which orthogonalisation leaves less than this share is linearly dependent to rounding.
constexpr double dependent = 100 * std::numeric_limits<double>::epsilon();

using Columns = Eigen::Ref<const MatX>;  // n x c, consecutive columns of a basis

// V^T W, summed over chunks of rows in their order.
MatX inner_products(const Columns& V, const MatX& W) {
  const auto n = static_cast<std::size_t>(V.rows());
  std::vector<MatX> parts((n + row_chunk - 1) / row_chunk);
  parallel_chunks(n, row_chunk, [&](std::size_t begin, std::size_t end) {
    const auto rows = static_cast<Index>(end - begin);
    parts[begin / row_chunk].noalias() = V.middleRows(begin, rows).transpose() * W.middleRows(begin, rows);
  });
  MatX sum = MatX::Zero(V.cols(), W.cols());
  for (const MatX& part : parts) sum += part;
  return sum;
}

// W -= V H.
void subtract(const Columns& V, const MatX& H, MatX& W) {
  parallel_chunks(static_cast<std::size_t>(V.rows()), row_chunk, [&](std::size_t begin, std::size_t end) {
    const auto rows = static_cast<Index>(end - begin);
    W.middleRows(begin, rows).noalias() -= V.middleRows(begin, rows) * H;
  });
}

// The first S.cols() columns of V become V S, in place.
void combine(const MatX& S, MatX& V) {
  parallel_chunks(static_cast<std::size_t>(V.rows()), row_chunk, [&](std::size_t begin, std::size_t end) {
    const auto rows = static_cast<Index>(end - begin);
    const MatX combined = V.block(begin, 0, rows, S.rows()) * S;
    V.block(begin, 0, rows, S.cols()) = combined;
  });
}

// An orthonormal basis V of a block Krylov space of a symmetric operator B, with the projection T = V^T B V:
//   B V = V T + Q R E^T,   V^T V = I, V^T Q = 0,
// where Q is the next block and E the unit vectors of the last `width` columns of V.
class KrylovBasis {
 public:
  KrylovBasis(Index n, Index capacity, Index block)
      : V_(n, std::min(n, capacity + block)), T_(MatX::Zero(capacity, capacity)), block_(block) {
    MatX start(n, std::min(block, n));
    for (double& value : start.reshaped()) value = next_random();
    append_block(start, VecX::Ones(start.cols()));
  }

  Index size() const { return size_; }
  const MatX& projected() const { return T_; }
  auto next_block() const { return V_.middleCols(size_, next_); }

  // Appends the next block Q to V, given B Q: B Q = [V Q] H + Q' R gives the new columns H of T and the next block Q'.
  void grow(MatX BQ) {
    const Index first = std::exchange(size_, size_ + next_);
    width_ = next_;
    const VecX scale = BQ.colwise().norm();
    const MatX H = append_block(BQ, scale);
    T_.block(first, 0, width_, size_) = H.transpose();
    T_.block(0, first, size_, width_) = H;
  }

  // The residual norms |B y - theta y| of Ritz vectors y = V s: by the relation above they are |R E^T s|, without a
  // product with B.
  VecX residuals(const MatX& S) const {
    if (next_ == 0) return VecX::Zero(S.cols());  // V spans the whole space
    return (R_ * S.bottomRows(width_)).colwise().norm();
  }

  // Thick restart (Wu and Simon 2000): V becomes the Ritz vectors V S, for which T = diag(theta); the next block stays.
  void restart(const MatX& S, const VecX& theta) {
    combine(S, V_);
    const Index kept = theta.size();
    const MatX Q = next_block();
    V_.middleCols(kept, next_) = Q;
    size_ = kept;
    T_.setZero();
    T_.diagonal().head(kept) = theta;
  }

  // Returns V S in the storage of the basis, which is then empty.
  MatX take(const MatX& S) {
    combine(S, V_);
    V_.conservativeResize(Eigen::NoChange, S.cols());
    return std::move(V_);
  }

 private:
  // Block classical Gram-Schmidt, twice: W = V H + Q R with Q the next block. Returns H.
  MatX append_block(MatX& W, const VecX& scale) {
    const auto V = V_.leftCols(size_);
    next_ = std::min(block_, static_cast<Index>(V_.rows()) - size_);
    MatX H = inner_products(V, W);
    subtract(V, H, W);
    R_ = orthonormalise(W, scale);
    const MatX again = inner_products(V, W);
    subtract(V, again, W);
    H += again * R_;
    R_ = orthonormalise(W, VecX::Ones(W.cols())) * R_;
    V_.middleCols(size_, next_) = W;
    return H;
  }

  // Gram-Schmidt: W = Q R, and W becomes Q. A column that is linearly dependent is replaced by a random vector
  // orthogonal to V and Q, and the row of R is zero there.
  MatX orthonormalise(MatX& W, const VecX& scale) {
    MatX R = MatX::Zero(next_, W.cols());
    MatX Q(W.rows(), next_);
    Index rank = 0;
    for (Index j = 0; j < W.cols() && rank < next_; ++j) {
      VecX w = W.col(j);
      const VecX r = project(Q.leftCols(rank), w);
      R.col(j).head(rank) = r;
      const double remaining = w.norm();
      if (!(remaining > dependent * scale[j])) continue;
      R(rank, j) = remaining;
      Q.col(rank++) = w / remaining;
    }
    // Random vectors take the places of dependent columns.
    while (rank < next_) {
      VecX w(W.rows());
      for (double& value : w) value = next_random();
      const double whole = w.norm();
      project(V_.leftCols(size_), w);
      project(Q.leftCols(rank), w);
      const double remaining = w.norm();
      if (remaining > dependent * whole) Q.col(rank++) = w / remaining;
    }
    W = std::move(Q);
    return R;
  }

  // w -= Q (Q^T w), twice for orthogonality to rounding; returns the sum of both Q^T w.
  static VecX project(const Columns& Q, VecX& w) {
    VecX r = VecX::Zero(Q.cols());
    for (int pass = 0; pass < 2; ++pass) {
      const VecX s = Q.transpose() * w;
      w -= Q * s;
      r += s;
    }
    return r;
  }

  // A linear congruential generator (Knuth's MMIX), so that results repeat.
  double next_random() {
    random_ = random_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(random_ >> 11) * 0x1p-53 - 0.5;
  }

  MatX V_;           // n x (capacity + block): the basis in its first size_ columns, the next block behind
  MatX T_;           // V^T B V
  MatX R_;           // next_ x (columns of the block before)
  Index block_;      // columns of a block, but for the last of a small space
  Index size_ = 0;   // columns of the basis
  Index width_ = 0;  // its last block
  Index next_ = 0;   // the next block; 0 when the basis is of the whole space
  std::uint64_t random_ = 1;
};

}  // namespace

// A basis of twice the pairs (Lehoucq, Sorensen and Yang 1998, section 4.5) and three blocks more, so that a
// single pair has room too; and four blocks beside it: the next one, the argument and the result of a solve, and work.
Index lanczos_columns(Index count) {
  constexpr Index blocks = 3 + 4;
  return 2 * count + blocks * LanczosOptions{}.block;
}

Eigenpairs lowest_eigenpairs(const ShiftedSolve& solve, const VecX& mass, Index count, double shift,
                             const LanczosOptions& options) {
  const auto n = static_cast<Index>(mass.size());
  count = std::min(count, n);
  if (count <= 0) return {VecX(0), MatX(n, 0)};
  const Index block = std::min(options.block, n);
  const Index columns = options.columns > 0 ? options.columns : lanczos_columns(count);
  // Beside the basis there are the next block, what `solve` takes and gives, and work.
  const Index capacity = std::min(n, std::max(columns - 4 * block, count + 2 * block));

  // B = M^{1/2} (A + shift M)^{-1} M^{1/2} has the eigenvalues 1 / (lambda + shift), of which the largest are sought.
  const VecX root_mass = mass.cwiseSqrt();
  KrylovBasis basis(n, capacity, block);
  Index converged = 0;
  for (Index restart = 0;; ++restart) {
    while (basis.size() < n && basis.size() + basis.next_block().cols() <= capacity) {
      MatX BQ = solve(root_mass.asDiagonal() * basis.next_block());
      BQ.array().colwise() *= root_mass.array();
      basis.grow(std::move(BQ));
      if (options.after_block) options.after_block(converged);
    }
    // Ritz pairs (theta, V s), T s = theta s, the largest first.
    const Index size = basis.size();
    const SymmetricEigen ritz = symmetric_eigen(basis.projected().topLeftCorner(size, size));
    if (!ritz.converged)
      throw SimulationError(code::factorization,
                            fmt::format("the Lanczos method met values that are not finite ({} unknowns)", n));
    const VecX theta = ritz.values.reverse();
    const MatX S = ritz.vectors.rowwise().reverse();
    const VecX residuals = basis.residuals(S.leftCols(count));
    converged = 0;
    while (converged < count && residuals[converged] <= options.tolerance * theta[converged]) ++converged;
    if (converged == count) {
      Eigenpairs pairs;
      pairs.values = theta.head(count).cwiseInverse().array() - shift;
      pairs.vectors = basis.take(S.leftCols(count));
      pairs.vectors.array().colwise() /= root_mass.array();
      return pairs;
    }
    if (restart == options.restarts) {
      throw SimulationError(
          code::factorization,
          fmt::format("the Lanczos method found {} of the {} lowest eigenpairs of {} unknowns in {} restarts (residual "
                      "{:.1e} of the next, {:.1e} wanted): ask for fewer eigenpairs, or allow more than {} columns",
                      converged, count, n, restart, residuals[converged] / theta[converged], options.tolerance, size));
    }
    // Besides the wanted pairs some that come next are kept, the more the more of those have converged, so that the
    // others go on fast (Lehoucq, Sorensen and Yang 1998, section 5.1.2).
    const Index kept = count + std::min(converged, (size - count) / 2);
    basis.restart(S.leftCols(kept), theta.head(kept));
  }
}

Eigenpairs lowest_eigenpairs(const SparseMatrix& A, const VecX& mass, Index count, double shift,
                             const LanczosOptions& options) {
  SparseMatrix shifted = A;
  shifted.diagonal() += shift * mass;
  ScalarCholesky cholesky;
  if (count > 0 && !cholesky.compute(shifted)) {
    throw SimulationError(
        code::factorization,
        fmt::format("a matrix of {} rows is not positive definite with the shift {}", A.cols(), shift));
  }
  shifted = SparseMatrix();
  return lowest_eigenpairs([&](const MatX& b) { return cholesky.solve(b); }, mass, count, shift, options);
}

}  // namespace sinew
