// A second Piola stress S [Pa] that does not depend on F. It has the energy S : (F^T F - I) / 2, the stress F S and the
// Hessian I (x) S. S: 00 11 22 12 02 01.
#pragma once

#include "sinew/material/lanes.h"
#include "sinew/material/stretch_kernel.h"
#include "sinew/material/tet_kernel.h"

namespace sinew {

// S : (C - I) / 2.
template <class L>
[[gnu::always_inline]] inline L second_stress_energy(const L* f, const L* s) {
  const auto c = [&](int i, int j) { return f[i] * f[j] + (f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j]); };
  return L(0.5) * (s[0] * (c(0, 0) - L(1.0)) + (s[1] * (c(1, 1) - L(1.0)) + s[2] * (c(2, 2) - L(1.0)))) +
         (s[3] * c(1, 2) + (s[4] * c(0, 2) + s[5] * c(0, 1)));
}

// P += F S, row-major.
template <class L>
[[gnu::always_inline]] inline void add_second_stress(const L* f, const L* s, L* p) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      p[3 * i + j] = p[3 * i + j] + (f[3 * i] * s[symmetric_entry(0, j)] + (f[3 * i + 1] * s[symmetric_entry(1, j)] +
                                                                            f[3 * i + 2] * s[symmetric_entry(2, j)]));
}

// The nearest positive semidefinite matrix.
template <class L>
[[gnu::always_inline]] inline void clamp_symmetric(const L* s, L* out) {
  L values[3], axes[9];
  symmetric_axes(s, values, axes);
  for (L& value : values) value = maximum(value, L(0.0));
  symmetric_from_axes(axes, values, out);
}

// K_ab += V (b_a . S b_b) I, b_a the rows of `shape`, and minus their sum for corner 0
// (material/tet_kernel.h). volume: V, times any scale.
template <class L>
[[gnu::always_inline]] inline void add_second_stress_hessian(const L* s, const L& volume, const L* shape,
                                                             TetHessian<L>& h) {
  using namespace tet_kernel_detail;
  L q[4][4];
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      const L *x = shape + 3 * a, *y = shape + 3 * b;
      L sum(0.0);
      for (int i = 0; i < 3; ++i)
        sum = sum + x[i] * (s[symmetric_entry(i, 0)] * y[0] +
                            (s[symmetric_entry(i, 1)] * y[1] + s[symmetric_entry(i, 2)] * y[2]));
      q[a + 1][b + 1] = q[b + 1][a + 1] = volume * sum;
    }
  q[0][0] = L(0.0);
  for (int b = 1; b < 4; ++b) {
    q[0][b] = -(q[1][b] + (q[2][b] + q[3][b]));
    q[0][0] = q[0][0] - q[0][b];
  }
  for (int a = 0; a < 4; ++a) {
    for (int i = 0; i < 3; ++i) {
      h.diagonal[a][lower(i, i)] = h.diagonal[a][lower(i, i)] + q[a][a];
      for (int b = a + 1; b < 4; ++b) {
        L& entry = entry_of_edge(h, tet_edge(a, b), 4 * i);
        entry = entry + q[a][b];
      }
    }
  }
}

}  // namespace sinew
