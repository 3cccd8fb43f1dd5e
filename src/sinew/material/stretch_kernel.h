// Local blocks of mixed finite elements with stretch unknowns (Trusty et al. 2022; theory, section 6). They are all
// terms of the condensed system at a point with deformation gradient F = R S and a symmetric stretch s.
//
// Symmetric 3x3 matrices are stored as (00, 11, 22, 12, 02, 01) and multiplied as matrices. A : B counts off-diagonal
// entries twice, like D = diag(1, 1, 1, 2, 2, 2) in equations on vectors of six. With a fiber, psi(s) = W(eigenvalues
// of s) + k/2 (|s d| - 1)^2.
#pragma once

#include "sinew/material/fiber.h"
#include "sinew/material/model.h"
#include "sinew/material/projection.h"
#include "sinew/material/svd3.h"

namespace sinew {

// Index of entry (i, j) of a stored symmetric matrix.
constexpr int symmetric_entry(int i, int j) {
  return i == j ? i : 6 - i - j;
}

// a : b
template <class L>
[[gnu::always_inline]] inline L symmetric_product(const L* a, const L* b) {
  return (a[0] * b[0] + (a[1] * b[1] + a[2] * b[2])) + L(2.0) * (a[3] * b[3] + (a[4] * b[4] + a[5] * b[5]));
}

// out = v diag(s) v^T, v row-major.
template <class L>
[[gnu::always_inline]] inline void symmetric_from_axes(const L* v, const L* s, L* out) {
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      out[symmetric_entry(i, j)] =
          v[3 * i] * v[3 * j] * s[0] + (v[3 * i + 1] * v[3 * j + 1] * s[1] + v[3 * i + 2] * v[3 * j + 2] * s[2]);
}

// out = v^T a v.
template <class L>
[[gnu::always_inline]] inline void into_frame(const L* a, const L* v, L* out) {
  L t[9];  // a v
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      t[3 * i + j] =
          a[symmetric_entry(i, 0)] * v[j] + (a[symmetric_entry(i, 1)] * v[3 + j] + a[symmetric_entry(i, 2)] * v[6 + j]);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) out[symmetric_entry(i, j)] = v[i] * t[j] + (v[3 + i] * t[3 + j] + v[6 + i] * t[6 + j]);
}

// Factors of dS = V B V^T with B_ij = (s_i A_ij + s_j A_ji) / (s_i + s_j) and A = U^T dF V: sets 2 s_i / (s_i + s_j),
// row-major. The polar decomposition jumps if two stretches are opposite. The denominator is therefore at least a 20th
// of the larger stretch.
template <class L>
[[gnu::always_inline]] inline void polar_factors(const L* s, L* factor) {
  for (int i = 0; i < 3; ++i) factor[4 * i] = L(1.0);
  for (int i = 0; i < 3; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      const L least = L(0.05) * maximum(absolute(s[i]), absolute(s[j])) + L(0x1p-500);
      const L inverse = L(2.0) / maximum(s[i] + s[j], least);
      factor[3 * i + j] = s[i] * inverse;
      factor[3 * j + i] = s[j] * inverse;
    }
  }
}

// out (row-major) = (dS/dF)^T : Z for a symmetric Z given in the frame V: U (factor o Z) V^T.
template <class L>
[[gnu::always_inline]] inline void pull_back(const Svd3<L>& svd, const L* factor, const L* z, L* out) {
  L t[9], ut[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t[3 * i + j] = factor[3 * i + j] * z[symmetric_entry(i, j)];
  multiply3(svd.u, t, ut);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] = ut[3 * i] * svd.v[3 * j] + (ut[3 * i + 1] * svd.v[3 * j + 1] + ut[3 * i + 2] * svd.v[3 * j + 2]);
}

// out = v a v^T
template <class L>
[[gnu::always_inline]] inline void out_of_frame(const L* a, const L* v, L* out) {
  L transposed[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) transposed[3 * i + j] = v[3 * j + i];
  into_frame(a, transposed, out);
}

// out = dS/dF : dF in the frame V.
template <class L>
[[gnu::always_inline]] inline void push_forward_frame(const Svd3<L>& svd, const L* factor, const L* dF, L* out) {
  L t[9], a[9];
  multiply3(dF, svd.v, t);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[3 * i + j] = svd.u[i] * t[j] + (svd.u[3 + i] * t[3 + j] + svd.u[6 + i] * t[6 + j]);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      out[symmetric_entry(i, j)] = L(0.5) * (factor[3 * i + j] * a[3 * i + j] + factor[3 * j + i] * a[3 * j + i]);
}

// Computes the eigenvalues of s, and its axes as columns of v (row-major).
template <class L>
[[gnu::always_inline]] inline void symmetric_axes(const L* s, L* values, L* v) {
  L g[6], size(0.0);
  for (int i = 0; i < 6; ++i) {
    g[i] = s[i];
    size = size + absolute(s[i]);
  }
  for (int i = 0; i < 9; ++i) v[i] = L(i % 4 == 0 ? 1.0 : 0.0);
  projection_detail::diagonalize(g, v, L(svd3_detail::rounding) * size);
  for (int i = 0; i < 3; ++i) values[i] = g[i];
}

// psi'' in a frame as sum_k x_k z_k^T over symmetric matrices z_k. The first three (scaling modes) have x_k = sum_l
// w_kl z_l. The others (flips, then those of the fiber) have x_k = w_k z_k.
template <class L>
struct StretchModes {
  static constexpr int most = 9;
  int count = 6;
  L z[most][6];
  L scaling[6];    // w_kl of the scaling modes, symmetric
  L weight[most];  // w_k, from the fourth mode on
};

// Sets the modes of the model in a frame from its derivatives w along the axes of s, the columns q_i of `axes` in that
// frame. Scaling modes are z_k = q_k q_k^T. Flips are q_i q_j^T + q_j q_i^T with the weight flip / 2.
template <class L>
[[gnu::always_inline]] inline void stretch_modes(const StretchDerivatives<L>& w, const L* axes,
                                                 StretchModes<L>& modes) {
  L q[9];  // row i: axis i
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) q[3 * i + j] = axes[3 * j + i];
  for (int k = 0; k < 3; ++k) {
    const L* a = q + 3 * k;
    const L *b = q + 3 * ((k + 1) % 3), *c = q + 3 * ((k + 2) % 3);
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        modes.z[k][symmetric_entry(i, j)] = a[i] * a[j];
        modes.z[3 + k][symmetric_entry(i, j)] = b[i] * c[j] + b[j] * c[i];
      }
    }
    modes.scaling[k] = w.diagonal[k];
    modes.scaling[3 + k] = w.mixed[k];
    modes.weight[3 + k] = L(0.5) * w.flip[k];
  }
  modes.count = 6;
}

// out += psi'' : d, in the frame of the modes.
template <class L>
[[gnu::always_inline]] inline void apply_modes(const StretchModes<L>& modes, const L* d, L* out) {
  L along[3];
  for (int k = 0; k < 3; ++k) along[k] = symmetric_product(modes.z[k], d);
  for (int k = 0; k < modes.count; ++k) {
    const L factor =
        k < 3 ? modes.scaling[symmetric_entry(k, 0)] * along[0] +
                    (modes.scaling[symmetric_entry(k, 1)] * along[1] + modes.scaling[symmetric_entry(k, 2)] * along[2])
              : modes.weight[k] * symmetric_product(modes.z[k], d);
    for (int i = 0; i < 6; ++i) out[i] = out[i] + factor * modes.z[k][i];
  }
}

// H = volume times the sum of the modes pulled back to F: the lower triangle of 9 x 9 by rows (45 entries), with F
// flattened row-major.
template <class L>
[[gnu::always_inline]] inline void add_modes(const Svd3<L>& svd, const L* factor, const StretchModes<L>& modes,
                                             const L& volume, L* H) {
  L y[3][9], x[9];
  for (int k = 0; k < 3; ++k) pull_back(svd, factor, modes.z[k], y[k]);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 9; ++i)
      x[i] =
          volume * (modes.scaling[symmetric_entry(k, 0)] * y[0][i] +
                    (modes.scaling[symmetric_entry(k, 1)] * y[1][i] + modes.scaling[symmetric_entry(k, 2)] * y[2][i]));
    for (int i = 0, e = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j, ++e) H[e] = k == 0 ? x[i] * y[k][j] : H[e] + x[i] * y[k][j];
  }
  for (int k = 3; k < modes.count; ++k) {
    pull_back(svd, factor, modes.z[k], y[0]);
    const L weight = volume * modes.weight[k];
    for (int i = 0; i < 9; ++i) x[i] = weight * y[0][i];
    for (int i = 0, e = 0; i < 9; ++i)
      for (int j = 0; j <= i; ++j, ++e) H[e] = H[e] + x[i] * y[0][j];
  }
}

}  // namespace sinew
