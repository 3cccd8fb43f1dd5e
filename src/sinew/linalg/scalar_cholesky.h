// Cholesky factorisation of sparse symmetric matrices of scalars, such as Laplacians (linalg/multifrontal.h).
#pragma once

#include <memory>

#include <Eigen/SparseCore>

#include "sinew/core/types.h"

namespace sinew {

using SparseMatrix = Eigen::SparseMatrix<double>;  // column-major

class ScalarCholesky {
 public:
  // compact: for preconditioners; solve with the factor in single precision, without check or refinement.
  explicit ScalarCholesky(bool compact = false);
  ~ScalarCholesky();
  ScalarCholesky(ScalarCholesky&&) noexcept;
  ScalarCholesky& operator=(ScalarCholesky&&) noexcept;
  // Returns a solver with the same factor and work space of its own, so that both may solve at once. Only for compact
  // factors.
  ScalarCholesky sharing() const;

  // A: n x n, whose lower triangle is read. Returns false if A is not positive definite to working precision.
  bool compute(const SparseMatrix& A);

  // Returns A^{-1} b for b of size n x r; compute() must have succeeded. Parallel inside; no concurrent calls on one
  // object.
  MatX solve(const MatX& b) const;

  // x = A^{-1} b for b of size 3 x n, three right-hand sides at once; only for compact factors. b and x may be the
  // same.
  void solve(const Points& b, Points& x) const;

  std::size_t memory_bytes() const;

 private:
  struct Factor;
  bool compact_ = false;
  std::unique_ptr<Factor> factor_;
};

}  // namespace sinew
