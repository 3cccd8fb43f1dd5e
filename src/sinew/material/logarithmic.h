// Derivatives of an isotropic energy density W by the logarithms of the principal stretches, l_i = ln s_i, turned into
// those by the stretches (stretch.h). Powers of stretches are exponentials of l_i, and volume-preserving parts are
// functions of l_i minus their mean, so many rubber models are shortest in this form.
//
// With T_i = dW/dl_i (the principal Kirchhoff stresses) and H_ij = d2W/dl_i dl_j:
//
//   w_i  = T_i / s_i,   w_ij = H_ij / (s_i s_j),   w_ii = (H_ii - T_i) / s_i^2,
//   flip  (w_j - w_k) / (s_j - s_k) = (Q (s_j + s_k) - (T_j + T_k)) / (2 s_j s_k),   Q = (T_j - T_k) / (s_j - s_k),
//   twist (w_j + w_k) / (s_j + s_k).
#pragma once

#include "sinew/material/lanes_math.h"
#include "sinew/material/stretch.h"

namespace sinew {

// Entries for pairs have the index of the axis that is not in the pair.
struct LogarithmicDerivatives {
  Lanes first[3];     // T_i
  Lanes diagonal[3];  // H_ii
  Lanes mixed[3];     // H_jk
  Lanes quotient[3];  // Q
};

// Logarithms of the stretches, their sum ln J, and their parts without volume change, l_i - ln J / 3.
struct LogarithmicStretches {
  Lanes l[3], log_j, deviatoric[3];
};

inline LogarithmicStretches logarithmic_stretches(const StretchStrain<Lanes>& t) {
  LogarithmicStretches r;
  for (int i = 0; i < 3; ++i) r.l[i] = log1p(t.e[i]);
  r.log_j = r.l[0] + (r.l[1] + r.l[2]);
  for (int i = 0; i < 3; ++i) r.deviatoric[i] = r.l[i] - r.log_j * (1.0 / 3);
  return r;
}

// (exp(p a) - exp(p b)) / (s_a - s_b) for a - b = ln(s_a / s_b), without cancellation. With r = s_a / s_b - 1 and y = p
// ln(1 + r) it is the product of p exp(p b) / s_b, (exp(y) - 1) / y and ln(1 + r) / r. power: exp(p b).
inline Lanes power_quotient(const Lanes& exponent, const Lanes& power, const Lanes& sa, const Lanes& sb) {
  const Lanes r = (sa - sb) / sb, log_ratio = log1p(r), y = exponent * log_ratio;
  const Lanes growth = select(y == 0.0, Lanes(1.0), expm1(y) / select(y == 0.0, Lanes(1.0), y));
  const Lanes slope = select(r == 0.0, Lanes(1.0), log_ratio / select(r == 0.0, Lanes(1.0), r));
  return exponent * power / sb * (growth * slope);
}

inline void stretch_derivatives(const Lanes* s, const LogarithmicDerivatives& w, Order order,
                                StretchDerivatives<Lanes>& out) {
  const Lanes inverse_j = 1.0 / (s[0] * s[1] * s[2]);
  const Lanes inverse[3] = {s[1] * s[2] * inverse_j, s[0] * s[2] * inverse_j, s[0] * s[1] * inverse_j};
  for (int i = 0; i < 3; ++i) out.first[i] = w.first[i] * inverse[i];
  if (order != Order::hessian) return;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Lanes pair = inverse[j] * inverse[k];
    out.diagonal[i] = (w.diagonal[i] - w.first[i]) * (inverse[i] * inverse[i]);
    out.mixed[i] = w.mixed[i] * pair;
    out.flip[i] = 0.5 * pair * (w.quotient[i] * (s[j] + s[k]) - (w.first[j] + w.first[k]));
    out.twist[i] = (out.first[j] + out.first[k]) / (s[j] + s[k]);
  }
}

}  // namespace sinew
