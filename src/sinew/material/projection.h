// Projects the Hessian of an isotropic energy analytically to a positive semidefinite matrix. In the SVD frame, its
// nine eigenvalues are those of the 3x3 block of scaling modes, the flip values and the twist values.
#pragma once

#include "sinew/material/stretch.h"
#include "sinew/material/svd3.h"

namespace sinew {

namespace projection_detail {

// Rotates a symmetric matrix from both sides. It has diagonal entries gp, gq, entry gpq, and third-row entries gpr,
// gqr.
template <class L>
[[gnu::always_inline]] inline void rotate_symmetric(L& gp, L& gq, L& gpq, L& gpr, L& gqr, const L& c, const L& s) {
  const L cc = c * c, ss = s * s, cs = c * s;
  const L twice = (cs + cs) * gpq;
  const L p = cc * gp + (twice + ss * gq);
  const L q = ss * gp + (cc * gq - twice);
  gpq = (cc - ss) * gpq - cs * (gp - gq);
  gp = p;
  gq = q;
  const L x = gpr, y = gqr;
  gpr = c * x + s * y;
  gqr = c * y - s * x;
}

// Index of entry (i, j) of a symmetric matrix stored as (g00, g11, g22, g12, g02, g01).
constexpr int entry(int i, int j) {
  return i == j ? i : 6 - i - j;
}

// One Jacobi rotation in the plane (p, q), which also sorts the two diagonal entries. Leaves lanes unchanged that are
// diagonal and sorted within the tolerance.
template <int p, int q, class L>
[[gnu::always_inline]] inline void diagonalize_pair(L* g, L* v, const L& tolerance) {
  constexpr int pq = entry(p, q), pr = entry(p, 3 - p - q), qr = entry(q, 3 - p - q);
  const L d = g[p] - g[q], h = g[pq] + g[pq];
  const auto skip = (g[pq] * g[pq] <= tolerance * tolerance) && (d >= L(-4.0) * tolerance);
  L c, s;
  svd3_detail::sorting_rotation<14>(d, h, skip, c, s);
  rotate_symmetric(g[p], g[q], g[pq], g[pr], g[qr], c, s);
  svd3_detail::rotate_columns<p, q>(v, c, s);
}

// Diagonalises the symmetric g = (g00, g11, g22, g12, g02, g01) by rotations, which are also applied to the columns of
// v, until off-diagonal entries are below `tolerance`. Eigenvalues descend. Converged lanes no longer change.
template <class L>
[[gnu::always_inline]] inline void diagonalize(L* g, L* v, const L& tolerance) {
  constexpr int max_sweeps = 8;
  const L square = tolerance * tolerance;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    const L largest = maximum(g[3] * g[3], maximum(g[4] * g[4], g[5] * g[5]));
    const auto unsorted = (g[0] - g[1] < -tolerance) || (g[1] - g[2] < -tolerance);
    if (!any((largest > square) || unsorted)) return;
    diagonalize_pair<0, 1>(g, v, tolerance);
    diagonalize_pair<0, 2>(g, v, tolerance);
    diagonalize_pair<1, 2>(g, v, tolerance);
  }
}

// Replaces the symmetric a = (a00, a11, a22, a12, a02, a01) by its part with nonnegative eigenvalues, in all lanes.
template <class L>
inline void clamp_symmetric3(L* a) {
  L g[6], v[9];
  L size(0.0);
  for (int i = 0; i < 6; ++i) {
    g[i] = a[i];
    size = size + absolute(a[i]);
  }
  for (int i = 0; i < 9; ++i) v[i] = L(i % 4 == 0 ? 1.0 : 0.0);
  diagonalize(g, v, L(svd3_detail::rounding) * size);
  for (int i = 0; i < 3; ++i) g[i] = maximum(g[i], L(0.0));
  const auto dot = [&](int i, int j) {
    return v[3 * i] * v[3 * j] * g[0] + (v[3 * i + 1] * v[3 * j + 1] * g[1] + v[3 * i + 2] * v[3 * j + 2] * g[2]);
  };
  for (int i = 0; i < 3; ++i) a[i] = dot(i, i);
  a[3] = dot(1, 2);
  a[4] = dot(0, 2);
  a[5] = dot(0, 1);
}

}  // namespace projection_detail

// Clamps the nine eigenvalues of d2W/dF2 at zero. The 3x3 block [w_ij] needs an eigenproblem. It is solved only if some
// lane fails Sylvester's criterion, and replaces only such lanes.
template <class L>
inline void project(StretchDerivatives<L>& w) {
  const L zero(0.0);
  for (int i = 0; i < 3; ++i) {
    w.flip[i] = maximum(w.flip[i], zero);
    w.twist[i] = maximum(w.twist[i], zero);
  }
  const L minor0 = w.diagonal[1] * w.diagonal[2] - w.mixed[0] * w.mixed[0];
  const L minor2 = w.diagonal[0] * w.diagonal[1] - w.mixed[2] * w.mixed[2];
  const L determinant = w.diagonal[0] * minor0 + (w.mixed[1] * (w.mixed[2] * w.mixed[0] - w.diagonal[1] * w.mixed[1]) -
                                                  w.mixed[2] * (w.mixed[2] * w.diagonal[2] - w.mixed[0] * w.mixed[1]));
  const auto definite = (w.diagonal[0] > zero) && (minor2 > zero) && (determinant > zero);
  const auto indefinite = !definite;
  if (!any(indefinite)) return;
  L a[6] = {w.diagonal[0], w.diagonal[1], w.diagonal[2], w.mixed[0], w.mixed[1], w.mixed[2]};
  projection_detail::clamp_symmetric3(a);
  for (int i = 0; i < 3; ++i) {
    w.diagonal[i] = select(indefinite, a[i], w.diagonal[i]);
    w.mixed[i] = select(indefinite, a[3 + i], w.mixed[i]);
  }
}

}  // namespace sinew
