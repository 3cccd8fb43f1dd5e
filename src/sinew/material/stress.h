// Computes stress from the derivatives of W by the principal stretches.
#pragma once

#include "sinew/material/svd3.h"

namespace sinew {

// First Piola stress P = U diag(w) V^T (row-major).
template <class L>
[[gnu::always_inline]] inline void stress_from_stretches(const Svd3<L>& svd, const L* w, L* p) {
  for (int i = 0; i < 3; ++i) {
    const L u0 = svd.u[3 * i] * w[0], u1 = svd.u[3 * i + 1] * w[1], u2 = svd.u[3 * i + 2] * w[2];
    for (int j = 0; j < 3; ++j) p[3 * i + j] = u0 * svd.v[3 * j] + (u1 * svd.v[3 * j + 1] + u2 * svd.v[3 * j + 2]);
  }
}

}  // namespace sinew
