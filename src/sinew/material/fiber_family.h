// A family of dispersed fibers (holzapfel_gasser_ogden.h), a function of the strain
//
//   E = A : (F^T F - I),   A = dispersion I + (1 - 3 dispersion) d d^T,   psi = k1 / (2 k2) (exp(k2 E^2) - 1) for E >
//   0,
//
// with P = 2 psi' F A and d2W/dF2 : D = 4 psi'' (F A : D) F A + 2 psi' D A. Both parts are positive semidefinite, since
// psi' >= 0 and psi'' >= 0.
#pragma once

#include "sinew/material/lanes_math.h"
#include "sinew/material/second_stress.h"
#include "sinew/material/tet_kernel.h"

namespace sinew {

struct FiberFamily {
  Lanes structure[6];  // A
  Lanes k1, k2;
};

// kernel: k1, k2, dispersion. d: a unit direction.
inline FiberFamily fiber_family(const Lanes* kernel, const Lanes* d) {
  FiberFamily family{{}, kernel[0], kernel[1]};
  const Lanes &share = kernel[2], along = 1.0 - 3.0 * share;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      family.structure[symmetric_entry(i, j)] =
          i == j ? Lanes(share + along * d[i] * d[j]) : Lanes(along * d[i] * d[j]);
  return family;
}

struct FamilyDerivatives {
  Lanes value, first, second;  // psi, psi', psi''
};

inline FamilyDerivatives family_derivatives(const FiberFamily& family, const Lanes* f) {
  const auto c = [&](int i, int j) { return f[i] * f[j] + (f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j]); };
  const Lanes* A = family.structure;
  const Lanes strain = A[0] * (c(0, 0) - 1.0) + (A[1] * (c(1, 1) - 1.0) + A[2] * (c(2, 2) - 1.0)) +
                       2.0 * (A[3] * c(1, 2) + (A[4] * c(0, 2) + A[5] * c(0, 1)));
  const LaneMask taut = strain > 0.0;
  const Lanes E = select(taut, strain, Lanes(0.0)), y = family.k2 * E * E, growth = expm1(y);
  return {0.5 * family.k1 / family.k2 * growth, family.k1 * E * (1.0 + growth),
          select(taut, family.k1 * (1.0 + 2.0 * y) * (1.0 + growth), Lanes(0.0))};
}

// F A, row-major.
inline void family_image(const FiberFamily& family, const Lanes* f, Lanes* out) {
  for (int k = 0; k < 9; ++k) out[k] = Lanes(0.0);
  add_second_stress(f, family.structure, out);
}

// S += 2 psi' A: with this second Piola stress (second_stress.h) come P = F S and the second part of the Hessian.
inline void add_family_stress(const FiberFamily& family, const FamilyDerivatives& psi, Lanes* S) {
  for (int k = 0; k < 6; ++k) S[k] += 2.0 * psi.first * family.structure[k];
}

// The first part of the Hessian: K_ab += volume 4 psi'' v_a v_b^T, v_a = F A b_a, with the rows b_a of `shape` and
// minus their sum for corner 0.
inline void add_family_hessian(const FiberFamily& family, const FamilyDerivatives& psi, const Lanes* f,
                               const Lanes& volume, const Lanes* shape, TetHessian<Lanes>& h) {
  using namespace tet_kernel_detail;
  Lanes image[9], v[4][3];
  family_image(family, f, image);
  for (int i = 0; i < 3; ++i) {
    for (int a = 0; a < 3; ++a)
      v[a + 1][i] =
          image[3 * i] * shape[3 * a] + (image[3 * i + 1] * shape[3 * a + 1] + image[3 * i + 2] * shape[3 * a + 2]);
    v[0][i] = -(v[1][i] + (v[2][i] + v[3][i]));
  }
  const Lanes outer = 4.0 * volume * psi.second;
  for (int a = 0; a < 4; ++a) {
    for (int c = a; c < 4; ++c) {
      for (int j = 0; j < 3; ++j) {
        for (int i = a == c ? j : 0; i < 3; ++i) {
          const Lanes value = outer * v[a][i] * v[c][j];
          if (a == c)
            h.diagonal[a][lower(i, j)] += value;
          else
            entry_of_edge(h, tet_edge(a, c), 3 * j + i) += value;
        }
      }
    }
  }
}

}  // namespace sinew
