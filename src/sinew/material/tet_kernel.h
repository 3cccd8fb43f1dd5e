// Element gradient and Hessian of linear tets from the derivatives of W by the principal stretches, in the SVD frame F
// = U S V^T (theory, section 1).
//
// b_a, a = 1..3, is row a of D_m^{-1}, the gradient of the shape function of vertex a; vertex 0 has minus the sum of
// these. With g_a = V^T b_a and c_k, d_k = (flip_k +- twist_k)/2 for the pair (i, j) that k completes, and with V_e
// included in w:
//
//   force on a:   f_a = U diag(w) g_a
//   Hessian:      K_ab = U K'_ab U^T,  K'_ab[i][i] = w_ii g_a[i] g_b[i] + c_k g_a[j] g_b[j] + c_j g_a[k] g_b[k],
//                 K'_ab[i][j] = w_ij g_a[i] g_b[j] + d_k g_a[j] g_b[i].
//
// The blocks of vertex 0 follow from the zero row sums (translations cost nothing).
#pragma once

#include "sinew/core/tet_topology.h"
#include "sinew/material/fiber.h"
#include "sinew/material/stress.h"
#include "sinew/material/stretch.h"
#include "sinew/material/svd3.h"

namespace sinew {

constexpr int tet_edge(int a, int b) {
  return a * (5 - a) / 2 + b - 1;
}

// An element Hessian: the lower triangles of its diagonal blocks by columns (00 10 20 11 21 22), and the blocks (row <
// column) of the edges, column-major. The last entry of each block is stored separately, so that the others fill a
// vector.
template <class L>
struct TetHessian {
  L diagonal[4][6];
  L edge[6][8];
  L last[6];
};

// F = sum_a (x_a - x_0) b_a^T. x: x0 y0 z0 x1 ... . b: rows b_1, b_2, b_3.
template <class L>
[[gnu::always_inline]] inline void deformation_gradient(const L* x, const L* b, L* f) {
  L e[9];  // column a - 1: x_a - x_0
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a) e[3 * i + a] = x[3 * (a + 1) + i] - x[i];
  multiply3(e, b, f);
}

// Computes the gradient g (12 entries, x0 y0 z0 x1 ...) from p, the first Piola stress times volume (row-major).
template <class L>
[[gnu::always_inline]] inline void forces_from_stress(const L* p, const L* b, L* g) {
  for (int i = 0; i < 3; ++i) {
    for (int a = 0; a < 3; ++a)
      g[3 * (a + 1) + i] = p[3 * i] * b[3 * a] + (p[3 * i + 1] * b[3 * a + 1] + p[3 * i + 2] * b[3 * a + 2]);
    g[i] = -(g[3 + i] + (g[6 + i] + g[9 + i]));
  }
}

namespace tet_kernel_detail {

// Computes K'_ab in the frame for a pair of shape gradients. all: also the entries below the diagonal.
template <bool all, class L>
[[gnu::always_inline]] inline void frame_block(const StretchDerivatives<L>& w, const L* c, const L* d, const L* ga,
                                               const L* gb, L* k) {
  const L p0 = ga[0] * gb[0], p1 = ga[1] * gb[1], p2 = ga[2] * gb[2];
  k[0] = w.diagonal[0] * p0 + (c[2] * p1 + c[1] * p2);
  k[4] = w.diagonal[1] * p1 + (c[2] * p0 + c[0] * p2);
  k[8] = w.diagonal[2] * p2 + (c[1] * p0 + c[0] * p1);
  const auto pair = [&](int i, int j, int opposite) {
    const L ij = ga[i] * gb[j], ji = ga[j] * gb[i];
    k[3 * i + j] = w.mixed[opposite] * ij + d[opposite] * ji;
    if (all) k[3 * j + i] = w.mixed[opposite] * ji + d[opposite] * ij;
  };
  pair(0, 1, 2);
  pair(0, 2, 1);
  pair(1, 2, 0);
  if (!all) k[3] = k[1], k[6] = k[2], k[7] = k[5];
}

// Index of entry (i, j), i >= j, in the lower triangle of a diagonal block.
constexpr int lower(int i, int j) {
  return j * (5 - j) / 2 + i;
}

// out (column-major) = U k U^T + q m. m: symmetric (00, 11, 22, 12, 02, 01), or null. all: all nine entries, otherwise
// only the lower triangle.
template <bool all, class L>
[[gnu::always_inline]] inline void rotate_block(const L* u, const L* k, const L* m, const L& q, L* out) {
  L t[9];
  multiply3(u, k, t);
  for (int j = 0; j < 3; ++j) {
    for (int i = all ? 0 : j; i < 3; ++i) {
      L value = t[3 * i] * u[3 * j] + (t[3 * i + 1] * u[3 * j + 1] + t[3 * i + 2] * u[3 * j + 2]);
      if (m) value = value + q * m[i == j ? i : 6 - i - j];
      out[all ? 3 * j + i : lower(i, j)] = value;
    }
  }
}

template <class L>
[[gnu::always_inline]] inline L& entry_of_edge(TetHessian<L>& h, int e, int k) {
  return k < 8 ? h.edge[e][k] : h.last[e];
}

// Computes the blocks of vertex 0 from the others: k0b = -(k1b + k2b + k3b).
template <class L>
[[gnu::always_inline]] inline void close_row_sums(TetHessian<L>& h) {
  const auto k = [&](int a, int b, int i, int j) -> const L& {
    if (a == b) return h.diagonal[a][i < j ? lower(j, i) : lower(i, j)];
    return a < b ? entry_of_edge(h, tet_edge(a, b), 3 * j + i) : entry_of_edge(h, tet_edge(b, a), 3 * i + j);
  };
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j)
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i)
#pragma GCC unroll 3
      for (int b = 1; b < 4; ++b)
        entry_of_edge(h, tet_edge(0, b), 3 * j + i) = -(k(1, b, i, j) + (k(2, b, i, j) + k(3, b, i, j)));
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < 3; ++i) h.diagonal[0][lower(i, j)] = -(k(0, 1, i, j) + (k(0, 2, i, j) + k(0, 3, i, j)));
}

}  // namespace tet_kernel_detail

// volume: V_e, times any scale. fiber: state of the fiber, or null.
template <class L>
[[gnu::always_inline]] inline void tet_hessian(const Svd3<L>& svd, const StretchDerivatives<L>& derivatives,
                                               const L& volume, const L* shape, const FiberState<L>* fiber,
                                               const L* fiber_direction, TetHessian<L>& h) {
  using namespace tet_kernel_detail;
  StretchDerivatives<L> w;
  L c[3], d[3], g[9];
  const L half = L(0.5) * volume;
  for (int i = 0; i < 3; ++i) {
    w.diagonal[i] = derivatives.diagonal[i] * volume;
    w.mixed[i] = derivatives.mixed[i] * volume;
    c[i] = half * (derivatives.flip[i] + derivatives.twist[i]);
    d[i] = half * (derivatives.flip[i] - derivatives.twist[i]);
  }
  multiply3(shape, svd.v, g);
  L q[3], m[6];
  for (int a = 0; a < 3; ++a) q[a] = L(0.0);
  if (fiber) {
    for (int a = 0; a < 3; ++a)
      q[a] = shape[3 * a] * fiber_direction[0] +
             (shape[3 * a + 1] * fiber_direction[1] + shape[3 * a + 2] * fiber_direction[2]);
    for (int i = 0; i < 6; ++i) m[i] = fiber->m[i] * volume;
  }
  const L* added = fiber ? m : nullptr;
  L k[9];
#pragma GCC unroll 3
  for (int a = 0; a < 3; ++a) {
    frame_block<false>(w, c, d, g + 3 * a, g + 3 * a, k);
    rotate_block<false>(svd.u, k, added, q[a] * q[a], h.diagonal[a + 1]);
#pragma GCC unroll 3
    for (int b = a + 1; b < 3; ++b) {
      L block[9];
      frame_block<true>(w, c, d, g + 3 * a, g + 3 * b, k);
      rotate_block<true>(svd.u, k, added, q[a] * q[b], block);
      for (int i = 0; i < 9; ++i) entry_of_edge(h, tet_edge(a + 1, b + 1), i) = block[i];
    }
  }
  close_row_sums(h);
}

}  // namespace sinew
