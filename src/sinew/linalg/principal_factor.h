// The Cholesky factor of a principal submatrix: of some rows and the same columns of a SymBlockMatrix.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/cholesky.h"

namespace sinew {

class PrincipalFactor {
 public:
  PrincipalFactor();

  // Forgets what of earlier matrices influences later bits.
  void reset();

  // rows: block rows of A, ascending, each once. False, and there is no factor, where that part of A is not positive
  // definite.
  bool compute(const SymBlockMatrix& A, std::span<const Index> rows);

  const std::vector<Index>& rows() const { return rows_; }
  double flops() const { return cholesky_->report().flops; }

  // z = the inverse times r, at these rows; the others of z stay as they are.
  void solve(const double* r, double* z);

 private:
  std::unique_ptr<SparseCholesky> cholesky_;
  std::vector<Index> rows_;
  std::vector<Index> place_;  // by row of A: its place in rows_, or -1
  SymBlockMatrix part_;
  std::vector<double> b_, x_;
  bool computed_ = false;
};

}  // namespace sinew
