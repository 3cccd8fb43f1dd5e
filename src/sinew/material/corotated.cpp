#include "sinew/material/corotated.h"

namespace sinew {

// W = mu sum e_i^2 + lambda/2 t^2 with e_i = s_i - 1 and t = sum e_i:
//   w_i = 2 mu e_i + lambda t,  w_ii = 2 mu + lambda,  w_ij = lambda,  flip = 2 mu,
//   twist = 2 mu + (2 lambda t - 4 mu) / (s_j + s_k).
void Corotated::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes &lambda = kernel[0], &mu = kernel[1];
  const Lanes e[3] = {s[0] - 1.0, s[1] - 1.0, s[2] - 1.0};
  const Lanes trace = e[0] + (e[1] + e[2]);
  if (order == Order::value) {
    out.value = mu * (e[0] * e[0] + (e[1] * e[1] + e[2] * e[2])) + 0.5 * lambda * trace * trace;
    return;
  }
  for (int i = 0; i < 3; ++i) out.first[i] = 2.0 * mu * e[i] + lambda * trace;
  if (order == Order::gradient) return;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out.diagonal[i] = 2.0 * mu + lambda;
    out.mixed[i] = lambda;
    out.flip[i] = 2.0 * mu;
    out.twist[i] = 2.0 * mu + (2.0 * lambda * trace - 4.0 * mu) / twist_denominator(s[j], s[k]);
  }
}

}  // namespace sinew
