// Solves with a matrix that has terms of rank one, from solves with its blocks alone (Sherman, Morrison and Woodbury).
#pragma once

#include <functional>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// A = B + U C U^T with the blocks B, the vectors of ranks() as columns of U and their factors in the diagonal C:
//
//   A^-1 b = x - Z S^-1 U^T x,   x = B^-1 b,   Z = B^-1 U,   S = C^-1 + U^T Z.
class RankCorrection {
 public:
  using Solve = std::function<void(const double* b, double* x)>;  // x = B^-1 b

  // Makes Z and S by one solve for each term. Keeps a reference to A. Returns false if A is singular to working
  // precision.
  bool compute(const SymBlockMatrix& A, const Solve& solve);
  void clear();
  bool empty() const { return terms_.empty(); }

  // Replaces x = B^-1 b by A^-1 b. The vectors of rank terms must not have changed since compute().
  void correct(double* x) const;

  // A has as many negative eigenvalues as B, less these (Haynsworth's inertia of the bordered matrix).
  Index negative() const { return negative_; }

 private:
  std::vector<const RankOne*> terms_;
  MatX Z_;           // 3 rows() x terms
  MatX inverse_;     // S^-1
  mutable VecX at_;  // U^T x
  Index negative_ = 0;
};

}  // namespace sinew
