// Factorisation of symmetric matrices that may be indefinite, with the number of their negative eigenvalues.
#pragma once

#include <memory>

#include "sinew/linalg/cholesky.h"

namespace sinew {

// A positive definite matrix gets a Cholesky factor. Any other matrix gets A = P L D L^T P^T with a diagonal D, without
// pivoting for size, and solves are refined. By Sylvester's law of inertia A has as many negative eigenvalues as D.
class SignedFactor {
 public:
  SignedFactor();
  ~SignedFactor();

  // Keeps a reference to A. Returns false if A is singular to working precision, or not finite.
  bool compute(const SymBlockMatrix& A);
  // x = A^-1 b, of 3 rows() entries. Returns the relative residual |b - A x| / |b|. compute() must have succeeded.
  double solve(const double* b, double* x);
  // The number of negative eigenvalues.
  Index negative() const { return negative_; }

 private:
  struct Indefinite;
  double solve_indefinite(const double* b, double* x);
  VecX solve_once(const VecX& b) const;

  SparseCholesky cholesky_;
  std::unique_ptr<Indefinite> indefinite_;  // made when first needed
  const SymBlockMatrix* A_ = nullptr;
  RankCorrection ranks_;  // of an indefinite matrix
  Index negative_ = 0;
  bool definite_ = false;
};

}  // namespace sinew
