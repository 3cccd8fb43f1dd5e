// Directions z of negative curvature, z^T A z < 0, of a symmetric matrix that is positive definite but for few
// eigenvalues.
#pragma once

#include <functional>
#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/linear_solver.h"

namespace sinew {

enum class Definiteness { positive, indefinite, unknown };

// Conjugate gradients for A with the preconditioner M build the Krylov space of M^-1 A from a random vector; a negative
// eigenvalue in it shows as a search direction with z^T A z < 0 (as truncated Newton methods find it; Nocedal and
// Wright 2006, section 7.1). Positive where the solve ends without one, unknown after max_iterations. The same bits for
// any number of threads. z: 3 rows() entries, only for indefinite ones.
Definiteness find_negative_curvature(const SymBlockMatrix& A, const Preconditioner& M, int max_iterations, double* z);

// A and M by what is needed of them; where A has a row of zeros, so has its diagonal.
struct SymmetricOperator {
  std::span<const double> diagonal;                              // of A
  std::function<double(const double* x, double* y)> multiply;    // y = A x; returns x^T y
  std::function<void(const double* r, double* s)> precondition;  // s = M^-1 r
  // What rounding makes of z^T A z, over z^T D z with the diagonal D: where rows of A depend on each other M is hardly
  // more than that.
  double rounding = 0;
};
Definiteness find_negative_curvature(const SymmetricOperator& A, int max_iterations, double* z);

// z^T A z < 0 counts from this share of z^T M z on: below it rounding and motions that are hardly held are the same.
inline constexpr double least_curvature = 1e-5;

}  // namespace sinew
