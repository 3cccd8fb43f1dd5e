#include "sinew/linalg/lanczos.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr Index block_size = 8;      // multiplicities up to this are found at once
constexpr double tolerance = 1e-8;   // of the residual of the inverse, relative to its eigenvalue
constexpr double dependent = 1e-10;  // share of a vector that must be left by orthogonalisation

// B = M^{1/2} (A + shift M)^{-1} M^{1/2}, whose largest eigenvalues 1 / (lambda + shift) are sought.
struct Inverse {
  ScalarCholesky cholesky;
  VecX root_mass;

  MatX operator*(const MatX& x) const { return root_mass.asDiagonal() * cholesky.solve(root_mass.asDiagonal() * x); }
};

// A basis that grows by blocks, orthonormal.
struct Krylov {
  MatX V;
  Index size = 0;
  std::uint64_t random = 1;

  explicit Krylov(Index n, Index capacity) : V(n, capacity) {}

  double next_random() {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(random >> 11) * 0x1p-53 - 0.5;
  }

  // Adds x, or a random vector where x depends on the basis.
  void add(VecX x) {
    double whole = x.norm();
    for (;;) {
      for (int twice = 0; twice < 2; ++twice) {
        x -= V.leftCols(size) * (V.leftCols(size).transpose() * x);
      }
      const double left = x.norm();
      if (left > dependent * whole) {
        V.col(size++) = x / left;
        return;
      }
      for (double& value : x) value = next_random();
      whole = x.norm();
    }
  }
};

}  // namespace

Eigenpairs lowest_eigenpairs(const SparseMatrix& A, const VecX& mass, Index count, double shift) {
  const auto n = static_cast<Index>(A.cols());
  count = std::min(count, n);
  Inverse B{ScalarCholesky(), mass.cwiseSqrt()};
  SparseMatrix shifted = A;
  shifted.diagonal() += shift * mass;
  if (count > 0 && !B.cholesky.compute(shifted)) {
    throw SimulationError(fmt::format("a matrix of {} rows is not positive definite with the shift {}", n, shift));
  }
  const Index block = std::min(block_size, n);
  const Index capacity = std::min(n, std::max(20 * count, Index{400}));
  Krylov krylov(n, capacity);
  MatX BV(n, capacity), S;
  VecX theta;
  for (Index first = 0; count > 0;) {
    for (Index j = 0; j < block && krylov.size < capacity; ++j) {
      krylov.add(first == 0 ? VecX(VecX::Zero(n)) : VecX(BV.col(first - block + j)));
    }
    const Index size = krylov.size;
    BV.middleCols(first, size - first) = B * krylov.V.middleCols(first, size - first);
    first = size;
    const bool full = size == capacity;
    if (!full && (size < count + block || (size / block) % std::max<Index>(2, count / (2 * block)) != 0)) continue;
    const auto V = krylov.V.leftCols(size);
    const MatX T = V.transpose() * BV.leftCols(size);
    const Eigen::SelfAdjointEigenSolver<MatX> ritz(0.5 * (T + T.transpose()));
    theta = ritz.eigenvalues().tail(count).reverse();
    S = ritz.eigenvectors().rightCols(count).rowwise().reverse();
    const MatX residual = BV.leftCols(size) * S - V * S * theta.asDiagonal();
    if (full || (residual.colwise().norm().transpose().array() <= tolerance * theta.array()).all()) break;
  }
  Eigenpairs pairs;
  if (count == 0) return pairs;
  pairs.values = theta.cwiseInverse().array() - shift;
  pairs.vectors = mass.cwiseSqrt().cwiseInverse().asDiagonal() * (krylov.V.leftCols(krylov.size) * S);
  return pairs;
}

}  // namespace sinew
