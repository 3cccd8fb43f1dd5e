// Directions z of negative curvature, z^T A z < 0, of a symmetric matrix with few negative eigenvalues.
#pragma once

#include <functional>
#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/linear_solver.h"

namespace sinew {

enum class Definiteness { positive, indefinite, unknown };

// Looks for z by conjugate gradients for A with the preconditioner M from a random vector. A negative eigenvalue in the
// Krylov space of M^-1 A shows as a search direction with z^T A z < 0 (truncated Newton; Nocedal and Wright 2006,
// section 7.1). Returns positive if the solve ends without one, and unknown after max_iterations. Bits do not depend on
// the number of threads. Sets z, of 3 rows() entries, only if A is indefinite.
Definiteness find_negative_curvature(const SymBlockMatrix& A, const Preconditioner& M, int max_iterations, double* z);

// A and M as functions. A row of zeros of A has a zero on the diagonal, too.
struct SymmetricOperator {
  std::span<const double> diagonal;                              // of A
  std::function<double(const double* x, double* y)> multiply;    // y = A x; returns x^T y
  std::function<void(const double* r, double* s)> precondition;  // s = M^-1 r
  // Rounding of z^T A z over z^T D z with the diagonal D. If rows of A depend on each other, z^T M z may be hardly
  // more.
  double rounding = 0;
};
Definiteness find_negative_curvature(const SymmetricOperator& A, int max_iterations, double* z);

// z^T A z counts as negative from this share of z^T M z on. Below it, rounding looks like a motion that is hardly held.
inline constexpr double least_curvature = 1e-5;

}  // namespace sinew
