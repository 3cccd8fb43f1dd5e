#include "sinew/material/arap.h"

#include "sinew/material/lame_model.h"

namespace sinew {

std::vector<ParameterInfo> Arap::parameters() const {
  return {mu_info(), young_info(), poisson_info()};
}

std::vector<std::vector<std::string>> Arap::parameter_sets() const {
  return {{"mu"}, {"young", "poisson"}};
}

void Arap::kernel_from_user(int set, const double* user, double* kernel) const {
  kernel[0] = set == 0 ? user[0] : lame_parameters(user[0], user[1]).mu;
}

// W = mu sum e_i^2 with e_i = s_i - 1:
//   w_i = 2 mu e_i,  w_ii = 2 mu,  w_ij = 0,  flip = 2 mu,
//   twist = 2 mu (e_j + e_k) / (s_j + s_k) = 2 mu (1 - 2 / (s_j + s_k)).
void Arap::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes& mu = kernel[0];
  const Lanes e[3] = {s[0] - 1.0, s[1] - 1.0, s[2] - 1.0};
  if (order == Order::value) {
    out.value = mu * (e[0] * e[0] + (e[1] * e[1] + e[2] * e[2]));
    return;
  }
  for (int i = 0; i < 3; ++i) out.first[i] = 2.0 * mu * e[i];
  if (order == Order::gradient) return;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out.diagonal[i] = 2.0 * mu;
    out.mixed[i] = Lanes(0.0);
    out.flip[i] = 2.0 * mu;
    out.twist[i] = 2.0 * mu * (1.0 - 2.0 / twist_denominator(s[j], s[k]));
  }
}

}  // namespace sinew
