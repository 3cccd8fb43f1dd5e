#include "sinew/material/blatz_ko.h"

#include "sinew/material/lame_model.h"
#include "sinew/material/lanes_math.h"

namespace sinew {

std::vector<ParameterInfo> BlatzKo::parameters() const {
  return {mu_info(), young_info()};
}

// young = 5/2 mu, since Poisson's ratio is 1/4.
void BlatzKo::kernel_from_user(int set, const double* user, double* kernel) const {
  kernel[0] = set == 0 ? user[0] : 0.4 * user[0];
}

// With r_i = 1 / s_i:
//   w_i  = mu (s_j s_k - r_i^3),  w_ii = 3 mu r_i^4,  w_jk = mu s_i
//   flip  = mu (r_j r_k (r_j^2 + r_j r_k + r_k^2) - s_i)
//   twist = mu (r_j r_k (r_j^2 - r_j r_k + r_k^2) (-1) + s_i), from -(r_j^3 + r_k^3) / (s_j + s_k).
void BlatzKo::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes& mu = kernel[0];
  const auto t = stretch_strain(s);
  Lanes r[3], e[3];  // 1 / s_i, and 1 / s_i - 1
  for (int i = 0; i < 3; ++i) {
    r[i] = 1.0 / s[i];
    e[i] = -t.e[i] * r[i];
  }
  if (order == Order::value) {
    // 1/s_i^2 - 1 = e (2 + e), J - 1: first orders cancel.
    const Lanes squares = e[0] * (2.0 + e[0]) + (e[1] * (2.0 + e[1]) + e[2] * (2.0 + e[2]));
    out.value = select(t.j_minus1 > -1.0, 0.5 * mu * (squares + 2.0 * t.j_minus1), infinity_lanes());
    return;
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    // s_j s_k - 1, and r_i^3 - 1
    const Lanes product = t.e[j] + (t.e[k] + t.e[j] * t.e[k]);
    const Lanes cube = e[i] * (3.0 + e[i] * (3.0 + e[i]));
    out.first[i] = mu * (product - cube);
  }
  if (order == Order::gradient) return;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Lanes pair = r[j] * r[k], squares = r[j] * r[j] + r[k] * r[k], square = r[i] * r[i];
    out.diagonal[i] = 3.0 * mu * (square * square);
    out.mixed[i] = mu * s[i];
    out.flip[i] = mu * (pair * (squares + pair) - s[i]);
    out.twist[i] = mu * (s[i] - pair * (squares - pair));
  }
}

}  // namespace sinew
