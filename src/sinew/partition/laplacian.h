// Scalar finite-element operators over tets with one stiffness for each tet: the Laplacian and the mass matrix.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/scalar_cholesky.h"

namespace sinew {

// Returns the gradients at rest of the four hat functions of tet t [1/m], as columns.
Eigen::Matrix<double, 3, 4> hat_gradients(const Points& vertices, const Tets& tets, Index t);

// Assembles L = sum_e k_e V_e grad^T grad, that is -div k grad, n x n for n vertices, both triangles, positive
// semidefinite. With k = 1 it is the cotangent Laplacian. volume and stiffness: one for each tet. Every vertex has a
// diagonal entry.
SparseMatrix stiffness_laplacian(const Points& vertices, const Tets& tets, std::span<const double> volume,
                                 std::span<const double> stiffness);

// Returns the lumped volume, n entries: each tet gives a quarter of its volume to each of its vertices.
VecX lumped_volume(Index vertex_count, const Tets& tets, std::span<const double> volume);

// Returns L diag(1 / mass) L, both triangles: the biharmonic operator of L. mass > 0.
SparseMatrix biharmonic(const SparseMatrix& L, const VecX& mass);

}  // namespace sinew
