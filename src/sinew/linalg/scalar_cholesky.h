// Cholesky factorisation of sparse symmetric matrices of scalars, for Laplacians and their like
// (linalg/multifrontal.h).
#pragma once

#include <memory>

#include <Eigen/SparseCore>

#include "sinew/core/types.h"

namespace sinew {

using SparseMatrix = Eigen::SparseMatrix<double>;  // column-major

class ScalarCholesky {
 public:
  // compact: solves are by the factor in single precision, neither checked nor refined; for preconditioners.
  explicit ScalarCholesky(bool compact = false);
  ~ScalarCholesky();
  ScalarCholesky(ScalarCholesky&&) noexcept;
  ScalarCholesky& operator=(ScalarCholesky&&) noexcept;

  // A: n x n, of which the lower triangle is read. False when it is not positive definite to working precision.
  bool compute(const SparseMatrix& A);

  // A^{-1} b for b of n x r; compute() must have succeeded. Parallel within; no concurrent calls on one object.
  MatX solve(const MatX& b) const;

  // x = A^{-1} b for b of 3 x n, three right-hand sides at once; compact factors only. b and x may be the same.
  void solve(const Points& b, Points& x) const;

  std::size_t memory_bytes() const;

 private:
  struct Factor;
  bool compact_ = false;
  std::unique_ptr<Factor> factor_;
};

}  // namespace sinew
