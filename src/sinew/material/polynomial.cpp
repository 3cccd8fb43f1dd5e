#include "sinew/material/polynomial.h"

namespace sinew {

std::vector<ParameterInfo> Polynomial::parameters() const {
  return {{"mu", "Pa", "coefficient of (s - 1)^4", 0.0}};
}

// W = mu sum e_i^4 with e_i = s_i - 1:
//   w_i = 4 mu e_i^3,  w_ii = 12 mu e_i^2,  w_ij = 0,
//   flip = 4 mu (e_j^2 + e_j e_k + e_k^2),  twist = 4 mu (e_j^2 - e_j e_k + e_k^2) (e_j + e_k) / (s_j + s_k).
void Polynomial::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes& mu = kernel[0];
  const Lanes e[3] = {s[0] - 1.0, s[1] - 1.0, s[2] - 1.0};
  const Lanes square[3] = {e[0] * e[0], e[1] * e[1], e[2] * e[2]};
  if (order == Order::value) {
    out.value = mu * (square[0] * square[0] + (square[1] * square[1] + square[2] * square[2]));
    return;
  }
  for (int i = 0; i < 3; ++i) out.first[i] = 4.0 * mu * (e[i] * square[i]);
  if (order == Order::gradient) return;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Lanes cross = e[j] * e[k], squares = square[j] + square[k];
    out.diagonal[i] = 12.0 * mu * square[i];
    out.mixed[i] = Lanes(0.0);
    out.flip[i] = 4.0 * mu * (squares + cross);
    // (e_j^3 + e_k^3) / (s_j + s_k) with e_j + e_k = s_j + s_k - 2
    out.twist[i] = 4.0 * mu * (squares - cross) * (1.0 - 2.0 / twist_denominator(s[j], s[k]));
  }
}

}  // namespace sinew
