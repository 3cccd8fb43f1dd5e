// Finds directions z of negative curvature, z^T A z < 0, of a symmetric matrix with few negative eigenvalues.
#pragma once

#include <functional>
#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/linear_solver.h"

namespace sinew {

enum class Definiteness { positive, indefinite, unknown };

// Searches z by conjugate gradients for A with the preconditioner M, from a random vector. A negative eigenvalue in the
// Krylov space of M^-1 A appears as a search direction with z^T A z < 0 (truncated Newton; Nocedal and Wright 2006,
// section 7.1). Returns positive if the solve ends without such a direction, and unknown after max_iterations. The
// result does not depend on the number of threads. Sets z, of 3 rows() entries, only if A is indefinite.
Definiteness find_negative_curvature(const SymBlockMatrix& A, const Preconditioner& M, int max_iterations, double* z);

// A and M as functions. If a row of A is zero, its diagonal entry must be zero, too.
struct SymmetricOperator {
  std::span<const double> diagonal;                              // diagonal of A
  std::function<double(const double* x, double* y)> multiply;    // y = A x; returns x^T y
  std::function<void(const double* r, double* s)> precondition;  // s = M^-1 r
  // Rounding error of z^T A z over z^T D z with the diagonal D. If rows of A depend on each other, z^T M z may be
  // hardly larger than this error.
  double rounding = 0;
};
Definiteness find_negative_curvature(const SymmetricOperator& A, int max_iterations, double* z);

// z^T A z counts as negative if it is below minus this share of z^T M z. Smaller values may be rounding in a motion
// that is hardly held.
inline constexpr double least_curvature = 1e-5;

}  // namespace sinew
