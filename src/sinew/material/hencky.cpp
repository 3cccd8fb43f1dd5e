#include "sinew/material/hencky.h"

namespace sinew {

// T_i = 2 mu l_i + lambda ln J,  H_ij = 2 mu delta_ij + lambda,  Q = 2 mu (l_j - l_k) / (s_j - s_k).
void Hencky::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes &lambda = kernel[0], &mu = kernel[1];
  const LogarithmicStretches at = logarithmic_stretches(stretch_strain(s));
  if (order == Order::value) {
    const Lanes squares = at.l[0] * at.l[0] + (at.l[1] * at.l[1] + at.l[2] * at.l[2]);
    const Lanes w = mu * squares + 0.5 * lambda * (at.log_j * at.log_j);
    out.value = select(s[0] * (s[1] * s[2]) > 0.0, w, infinity_lanes());
    return;
  }
  LogarithmicDerivatives w;
  for (int i = 0; i < 3; ++i) w.first[i] = 2.0 * mu * at.l[i] + lambda * at.log_j;
  for (int i = 0; i < 3 && order == Order::hessian; ++i) {
    w.diagonal[i] = 2.0 * mu + lambda;
    w.mixed[i] = lambda;
    w.quotient[i] = 2.0 * mu * logarithm_quotient(s[(i + 1) % 3], s[(i + 2) % 3]);
  }
  stretch_derivatives(s, w, order, out);
}

}  // namespace sinew
