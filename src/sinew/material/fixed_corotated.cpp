#include "sinew/material/fixed_corotated.h"

namespace sinew {

// W = mu sum e_i^2 + lambda/2 (J - 1)^2 with e_i = s_i - 1 and q = lambda (J - 1):
//   w_i = 2 mu e_i + q s_j s_k,  w_ii = 2 mu + lambda (s_j s_k)^2,  w_jk = (q + lambda J) s_i,
//   flip = 2 mu - q s_i,  twist = 2 mu (1 - 2 / (s_j + s_k)) + q s_i.
void FixedCorotated::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes &lambda = kernel[0], &mu = kernel[1];
  const auto t = stretch_strain(s);
  const Lanes volume = lambda * t.j_minus1;
  if (order == Order::value) {
    out.value = mu * (t.e[0] * t.e[0] + (t.e[1] * t.e[1] + t.e[2] * t.e[2])) + 0.5 * volume * t.j_minus1;
    return;
  }
  const Lanes product[3] = {s[1] * s[2], s[0] * s[2], s[0] * s[1]};
  for (int i = 0; i < 3; ++i) out.first[i] = 2.0 * mu * t.e[i] + volume * product[i];
  if (order == Order::gradient) return;
  const Lanes slope = volume + lambda * (1.0 + t.j_minus1);  // lambda (2 J - 1)
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out.diagonal[i] = 2.0 * mu + lambda * product[i] * product[i];
    out.mixed[i] = slope * s[i];
    out.flip[i] = 2.0 * mu - volume * s[i];
    out.twist[i] = 2.0 * mu * (1.0 - 2.0 / twist_denominator(s[j], s[k])) + volume * s[i];
  }
}

}  // namespace sinew
