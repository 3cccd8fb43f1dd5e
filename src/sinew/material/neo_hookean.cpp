#include "sinew/material/neo_hookean.h"

#include "sinew/material/lanes_math.h"

namespace sinew {

// W = mu (i1 / 2 - ln J) + lambda/2 (ln J)^2, i1 = I1 - 3; +infinity for J <= 0.
Lanes NeoHookean::energy(const StrainInvariants<Lanes>& t, const Lanes* kernel) const {
  const Lanes &lambda = kernel[0], &mu = kernel[1];
  const Lanes log_j = log1p(t.j_minus1);
  const Lanes w = mu * (0.5 * t.i1 - log_j) + 0.5 * lambda * log_j * log_j;
  return select(t.j_minus1 > -1.0, w, infinity_lanes());
}

// With p = lambda ln J - mu:
//   w_i = mu s_i + p / s_i,  w_ii = mu + (lambda - p) / s_i^2,  w_jk = lambda / (s_j s_k),
//   flip, twist = mu -+ p / (s_j s_k).
void NeoHookean::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes &lambda = kernel[0], &mu = kernel[1];
  const auto t = stretch_strain(s);
  if (order == Order::value) {
    out.value = energy(strain_invariants(t), kernel);
    return;
  }
  const Lanes log_j = log1p(t.j_minus1);
  // w_i is written as (mu (s_i^2 - 1) + lambda ln J) / s_i, which vanishes exactly at rest.
  const Lanes inverse_j = 1.0 / (s[0] * s[1] * s[2]);
  const Lanes inverse[3] = {s[1] * s[2] * inverse_j, s[0] * s[2] * inverse_j, s[0] * s[1] * inverse_j};
  for (int i = 0; i < 3; ++i) out.first[i] = (mu * t.a[i] + lambda * log_j) * inverse[i];
  if (order == Order::gradient) return;
  const Lanes p = lambda * log_j - mu;
  for (int i = 0; i < 3; ++i) {
    const Lanes pair = s[i] * inverse_j;  // 1 / (s_j s_k)
    out.diagonal[i] = mu + (lambda - p) * (inverse[i] * inverse[i]);
    out.mixed[i] = lambda * pair;
    out.flip[i] = mu - p * pair;
    out.twist[i] = mu + p * pair;
  }
}

}  // namespace sinew
