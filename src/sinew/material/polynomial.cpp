#include "sinew/material/polynomial.h"

namespace sinew {

std::vector<ParameterInfo> Polynomial::parameters() const {
  return {{"mu", "Pa", "coefficient of (s - 1)^4", 0.0}};
}

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
