#include "sinew/material/stvk.h"

namespace sinew {

Lanes StVenantKirchhoff::energy(const StrainInvariants<Lanes>& t, const Lanes* kernel) const {
  // E = A/2: tr E = i1/2 and E:E = (i1^2 - 2 i2)/4.
  return kernel[1] * (0.25 * t.i1 * t.i1 - 0.5 * t.i2) + 0.125 * kernel[0] * t.i1 * t.i1;
}

// With a_i = s_i^2 - 1 = 2 E_i and q = lambda tr E:
//   w_i = s_i (mu a_i + q),  w_ii = mu a_i + q + (2 mu + lambda) s_i^2,  w_jk = lambda s_j s_k,
//   flip, twist = mu (s_j^2 + s_k^2 - 1 +- s_j s_k) + q.
void StVenantKirchhoff::evaluate(const Lanes* s, const Lanes* kernel, Order order,
                                 StretchDerivatives<Lanes>& out) const {
  const Lanes &lambda = kernel[0], &mu = kernel[1];
  const auto t = stretch_strain(s);
  const Lanes volume = 0.5 * lambda * (t.a[0] + (t.a[1] + t.a[2]));  // lambda tr E
  if (order == Order::value) {
    out.value = 0.25 * mu * (t.a[0] * t.a[0] + (t.a[1] * t.a[1] + t.a[2] * t.a[2])) +
                0.25 * volume * (t.a[0] + (t.a[1] + t.a[2]));
    return;
  }
  for (int i = 0; i < 3; ++i) out.first[i] = s[i] * (mu * t.a[i] + volume);
  if (order == Order::gradient) return;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Lanes product = s[j] * s[k];
    const Lanes squares = t.a[j] + (t.a[k] + 1.0);  // s_j^2 + s_k^2 - 1
    out.diagonal[i] = mu * t.a[i] + volume + (2.0 * mu + lambda) * (s[i] * s[i]);
    out.mixed[i] = lambda * product;
    out.flip[i] = mu * (squares + product) + volume;
    out.twist[i] = mu * (squares - product) + volume;
  }
}

}  // namespace sinew
