// The interface of isotropic energy densities in principal stretches, shared by all models (Stomakhin et al. 2012;
// Smith et al. 2019). See theory, section 1.
#pragma once

#include "sinew/material/lanes.h"

namespace sinew {

enum class Order { value = 0, gradient = 1, hessian = 2 };

// Derivatives of the density W(s0, s1, s2) [Pa]. Entries for pairs have the index of the axis that is not in the pair:
// mixed[0] belongs to (1, 2), mixed[1] to (2, 0), mixed[2] to (0, 1).
template <class L>
struct StretchDerivatives {
  L value;
  L first[3];     // w_i
  L diagonal[3];  // w_ii
  L mixed[3];     // w_ij
  L flip[3];      // (w_i - w_j) / (s_i - s_j), simplified so that nothing cancels
  L twist[3];     // (w_i + w_j) / (s_i + s_j), simplified likewise
};

// Invariants of A = F^T F - I, which vanish at rest. Energies near rest stay accurate because all first-order terms
// come from the same numbers.
template <class L>
struct StrainInvariants {
  L i1;        // tr A = I1 - 3
  L i2;        // sum of the principal 2x2 minors of A; I2 - 3 = 2 i1 + i2
  L j_minus1;  // det F - 1
};

// s_i - 1 and products of these, which are small near rest.
template <class L>
struct StretchStrain {
  L e[3];      // s_i - 1
  L a[3];      // s_i^2 - 1
  L j_minus1;  // s0 s1 s2 - 1
};

template <class L>
inline StretchStrain<L> stretch_strain(const L* s) {
  StretchStrain<L> r;
  for (int i = 0; i < 3; ++i) {
    r.e[i] = s[i] - L(1.0);
    r.a[i] = r.e[i] * (s[i] + L(1.0));
  }
  const L pair = r.e[0] + (r.e[1] + r.e[0] * r.e[1]);  // s0 s1 - 1
  r.j_minus1 = pair + (r.e[2] + pair * r.e[2]);
  return r;
}

template <class L>
inline StrainInvariants<L> strain_invariants(const StretchStrain<L>& t) {
  return {t.a[0] + (t.a[1] + t.a[2]), t.a[0] * t.a[1] + (t.a[0] * t.a[2] + t.a[1] * t.a[2]), t.j_minus1};
}

// Computes the invariants from F (row-major) without a decomposition. Near rest, det F - 1 also comes from A, as (J^2 -
// 1) / (J + 1), so that its rounding errors match those of i1.
template <class L>
inline StrainInvariants<L> strain_invariants(const L* f) {
  const L a00 = f[0] * f[0] + (f[3] * f[3] + (f[6] * f[6] - L(1.0)));
  const L a11 = f[1] * f[1] + (f[4] * f[4] + (f[7] * f[7] - L(1.0)));
  const L a22 = f[2] * f[2] + (f[5] * f[5] + (f[8] * f[8] - L(1.0)));
  const L a01 = f[0] * f[1] + (f[3] * f[4] + f[6] * f[7]);
  const L a02 = f[0] * f[2] + (f[3] * f[5] + f[6] * f[8]);
  const L a12 = f[1] * f[2] + (f[4] * f[5] + f[7] * f[8]);
  StrainInvariants<L> r;
  const L m0 = a11 * a22 - a12 * a12;
  r.i1 = a00 + (a11 + a22);
  r.i2 = m0 + ((a00 * a22 - a02 * a02) + (a00 * a11 - a01 * a01));
  const L i3 = a00 * m0 + (a02 * (a01 * a12 - a11 * a02) - a01 * (a01 * a22 - a12 * a02));
  const L j =
      f[0] * (f[4] * f[8] - f[5] * f[7]) + (f[1] * (f[5] * f[6] - f[3] * f[8]) + f[2] * (f[3] * f[7] - f[4] * f[6]));
  const auto near = (r.i1 * r.i1 - (r.i2 + r.i2) < L(0.25)) && (j > L(0.0));  // A : A
  r.j_minus1 = select(near, (r.i1 + (r.i2 + i3)) / (L(1.0) + j), j - L(1.0));
  return r;
}

// s_i + s_j for the denominator of a twist value. If two stretches are opposite, models with (s - 1)^2 have no
// derivative and the twist value would be infinite. A lower bound keeps it finite, at about 1e15 times the stiffness.
// The exact Hessian then has no nan, and the projected Hessian clamps it to zero.
template <class L>
inline L twist_denominator(const L& si, const L& sj) {
  return maximum(si + sj, L(0x1p-50));
}

}  // namespace sinew
