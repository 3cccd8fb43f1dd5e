// Decompositions of dense matrices of any size. Eigen's templates for these are slow to compile, so only one file
// instantiates them.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// A = V diag(values) V^T of a symmetric A, whose lower triangle is read. The values ascend.
struct SymmetricEigen {
  VecX values;     // n
  MatX vectors;    // n x n, orthonormal columns
  bool converged;  // false if A has entries that are not finite
};
SymmetricEigen symmetric_eigen(const MatX& A);

// A = U diag(values) V^T by Jacobi rotations, for small matrices. The values descend.
struct SingularValues {
  MatX U;       // m x m
  VecX values;  // min(m, n)
  MatX V;       // n x n
};
SingularValues singular_values(const MatX& A);

// Returns U diag(values), m x min(m, n), which is A V without computing V.
MatX principal_columns(const MatX& A);

// Returns the x of least length that minimises |A x - b|. Singular values below `share` times the largest count as
// zero.
VecX least_squares(const MatX& A, const VecX& b, double share);

// Returns orthonormal columns that span all x with A x = 0. Singular values up to `share` times the largest count as
// zero.
MatX null_space(const MatX& A, double share);

// A = Q R by Householder reflections, m >= n.
MatX orthonormal_columns(const MatX& A);  // Q, m x n
MatX upper_triangle(const MatX& A);       // R, n x n

// inverse = A^-1 of a symmetric A. Returns false if A is not positive definite to working precision.
bool inverse_of_definite(const MatX& A, MatX& inverse);

// Returns the indices of A's columns in the order in which a QR factorisation with column pivoting takes them.
std::vector<Index> pivot_columns(const MatX& A);

}  // namespace sinew
