// One coarsening step of smoothed aggregation (Vanek, Mandel, Brezina 1996): prolongation and Galerkin matrix.
//
// Matrices are scaled: A^ = G A G^T with G_i = L_i^-1 and the diagonal blocks A_ii = L_i L_i^T. The diagonal blocks of
// A^ are identities, so Jacobi smoothing needs no solves. Vectors are scaled too, u = G^T u^.
#pragma once

#include <vector>

#include "sinew/linalg/aggregation.h"
#include "sinew/linalg/block_rows.h"

namespace sinew {

// Scales A in place. A row whose diagonal entry is zero to rounding is decoupled, with 1 on the diagonal. Returns G,
// lower triangular N x N blocks by rows.
template <int N>
std::vector<double> scale_to_unit_diagonal(BlockRows<double, N, N>& A);

// u^ of u = G^T u^, in place. vectors: N rows of A x any.
template <int N>
void scale_vectors(const std::vector<double>& scaling, MatX& vectors);

// Returns an estimate of the largest eigenvalue of A^, rather above than below it, from a few steps of the power method
// with eight vectors.
template <int N>
double largest_eigenvalue(const BlockRows<float, N, N>& A);

struct CoarseningOptions {
  double strong = 0.3;  // couplings below this share of the largest of their rows do not join aggregates
  int reach = 2;        // roots of aggregates are further apart than this, in couplings
};

template <int N>
struct Coarsening {
  BlockRows<double, N, 6> P;  // u = P u_c, of scaled vectors
  BlockRows<double, 6, 6> A;  // P^T A P, scaled
  MatX near_kernel;           // 6 aggregates x 6: B_c with P B_c = B up to smoothing
};

// A: scaled. near_kernel: B, N rows() x 6, scaled: motions that cost little energy (rigid motions of a body).
// largest: largest eigenvalue of A.
template <int N>
Coarsening<N> coarsen(const BlockRows<double, N, N>& A, const MatX& near_kernel, double largest,
                      const CoarseningOptions& options);

}  // namespace sinew
