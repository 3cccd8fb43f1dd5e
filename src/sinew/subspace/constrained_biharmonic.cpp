#include "sinew/subspace/constrained_biharmonic.h"

#include <cmath>

namespace sinew {
namespace {

// Notation: F free, C prescribed vertices, z = M^{-1} L u. Stationarity in u_F reads (L z)_F = 0: z is harmonic at F,
// so
//   z_F = -L_FF^{-1} L_FC z_C,   u_F = L_FF^{-1} (M_F z_F - L_FC u_C),
// and the rows C of M z = L u leave a system in z_C alone,
//   (M_C + Y^T M_F Y) z_C = (L_CC - L_CF L_FF^{-1} L_FC) u_C,   Y = L_FF^{-1} L_FC.
// Y holds harmonic measures: whatever the stiffnesses are, M_C^{-1} times the matrix has no eigenvalue below 1 and few
// large ones, such as one for each stiff part without a prescribed vertex. Conjugate gradients take some tens of
// iterations of two solves with the factor of L_FF, a small part of the time that a factorisation of K takes.

constexpr int max_iterations = 500;

struct Parts {
  std::vector<Index> local;  // n: place among F or C; -1: prescribed and not next to any of F, which no equation sees
  Index free_count = 0, prescribed_count = 0;
  SparseMatrix FF;  // lower triangle
  SparseMatrix FC;
  VecX M_F, M_C, u_C;
  VecX L_CC_u;  // (L_CC u_C)
};

// Splits L into L_FF (lower triangle), L_FC and the product L_CC u_C. C holds only the prescribed vertices next to a
// free one; no equation involves the others.
Parts split(const SparseMatrix& L, const VecX& mass, const std::vector<char>& prescribed, const VecX& values) {
  const Index n = static_cast<Index>(L.cols());
  Parts parts;
  parts.local.assign(n, -1);
  for (Index v = 0; v < n; ++v) {
    if (!prescribed[v]) parts.local[v] = parts.free_count++;
  }
  // C: the prescribed vertices with an entry of L in the row of a free one.
  std::vector<char> seen(n, 0);
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(L, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      if (prescribed[i] && !prescribed[j]) seen[i] = 1;
      if (prescribed[j] && !prescribed[i]) seen[j] = 1;
    }
  }
  for (Index v = 0; v < n; ++v) {
    if (seen[v]) parts.local[v] = parts.prescribed_count++;
  }
  // Masses and prescribed values in the order of F and C.
  parts.M_F.resize(parts.free_count);
  parts.M_C.resize(parts.prescribed_count);
  parts.u_C.resize(parts.prescribed_count);
  for (Index v = 0; v < n; ++v) {
    if (!prescribed[v]) parts.M_F[parts.local[v]] = mass[v];
    if (seen[v]) parts.M_C[parts.local[v]] = mass[v];
    if (seen[v]) parts.u_C[parts.local[v]] = values[v];
  }
  // One pass over the lower triangle of L: each entry goes to L_FF, to L_FC, or times u to L_CC u_C.
  parts.L_CC_u = VecX::Zero(parts.prescribed_count);
  std::vector<Eigen::Triplet<double, Index>> FC;
  parts.FF.resize(parts.free_count, parts.free_count);
  parts.FF.reserve(L.nonZeros());
  for (Index j = 0; j < n; ++j) {
    const Index column = parts.local[j];
    if (!prescribed[j]) parts.FF.startVec(column);
    for (SparseMatrix::InnerIterator entry(L, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      const Index row = parts.local[i];
      if (i < j) continue;
      if (!prescribed[i] && !prescribed[j]) {
        parts.FF.insertBack(row, column) = entry.value();
      } else if (!prescribed[i]) {
        FC.emplace_back(row, column, entry.value());
      } else if (!prescribed[j]) {
        FC.emplace_back(column, row, entry.value());
      } else {
        if (row >= 0) parts.L_CC_u[row] += entry.value() * values[j];
        if (column >= 0 && i != j) parts.L_CC_u[column] += entry.value() * values[i];
      }
    }
  }
  parts.FF.finalize();
  parts.FC.resize(parts.free_count, parts.prescribed_count);
  parts.FC.setFromTriplets(FC.begin(), FC.end());
  return parts;
}

// Factors L_FF; where rounding left it indefinite, with a growing share of its diagonal added. Returns the share, or a
// negative number if that fails too.
double factor(SparseMatrix& FF, ScalarCholesky& cholesky) {
  if (cholesky.compute(FF)) return 0;
  double added = 0;
  for (double share : {1e-13, 1e-11, 1e-9}) {
    FF.diagonal() *= 1 + (share - added);
    added = share;
    if (cholesky.compute(FF)) return share;
  }
  return -1;
}

}  // namespace

BiharmonicSolution solve_biharmonic(const SparseMatrix& L, const VecX& mass, const std::vector<char>& prescribed,
                                    const VecX& values, double tolerance) {
  BiharmonicSolution solution;
  solution.u = values;
  Parts parts = split(L, mass, prescribed, values);
  if (parts.free_count == 0) return solution;
  ScalarCholesky cholesky;
  const double shift = factor(parts.FF, cholesky);
  if (shift < 0) {
    solution.quality = BiharmonicQuality::failed;
    return solution;
  }
  if (shift > 0) solution.quality = BiharmonicQuality::shifted;

  // L_FF^-1 L_FC u_C, the negative of the harmonic function with these values, for the right-hand side and for u_F.
  const VecX harmonic = cholesky.solve(parts.FC * parts.u_C);
  VecX b = parts.L_CC_u - parts.FC.transpose() * harmonic;
  const VecX inverse_mass = parts.M_C.cwiseInverse();

  // Conjugate gradients for z_C, preconditioned with M_C; z_F = -Y z_C is updated along.
  VecX z = VecX::Zero(parts.prescribed_count), z_F = VecX::Zero(parts.free_count);
  VecX r = b, y = inverse_mass.cwiseProduct(r), p = y;
  double rho = r.dot(y);
  const double enough = tolerance * tolerance * rho;
  while (rho > enough && solution.iterations < max_iterations) {
    const VecX Yp = cholesky.solve(parts.FC * p);
    const VecX Ap = parts.M_C.cwiseProduct(p) + parts.FC.transpose() * VecX(cholesky.solve(parts.M_F.cwiseProduct(Yp)));
    const double alpha = rho / p.dot(Ap);
    z += alpha * p;
    z_F -= alpha * Yp;
    r -= alpha * Ap;
    y = inverse_mass.cwiseProduct(r);
    const double next = r.dot(y);
    p = y + (next / rho) * p;
    rho = next;
    ++solution.iterations;
  }
  if (!(rho <= enough)) solution.quality = BiharmonicQuality::unconverged;
  const VecX u_F = VecX(cholesky.solve(parts.M_F.cwiseProduct(z_F))) - harmonic;
  if (!u_F.allFinite()) {
    solution.quality = BiharmonicQuality::failed;
    return solution;
  }
  for (Index v = 0; v < L.cols(); ++v) {
    if (!prescribed[v]) solution.u[v] = u_F[parts.local[v]];
  }
  return solution;
}

}  // namespace sinew
