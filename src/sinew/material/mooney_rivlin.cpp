#include "sinew/material/mooney_rivlin.h"

#include "sinew/core/error.h"
#include "sinew/material/lanes_math.h"

namespace sinew {

std::vector<ParameterInfo> MooneyRivlin::parameters() const {
  return {{"c10", "Pa", "coefficient of I1 - 3"},
          {"c01", "Pa", "coefficient of I2 - 3"},
          {"kappa", "Pa", "stiffness of (ln J)^2 / 2"}};
}

std::vector<std::vector<std::string>> MooneyRivlin::parameter_sets() const {
  return {{"c10", "c01", "kappa"}};
}

LameParameters MooneyRivlin::linearized(const double* kernel) const {
  return {kernel[2] + 4 * kernel[1], 2 * (kernel[0] + kernel[1])};
}

void MooneyRivlin::kernel_from_user(int, const double* user, double* kernel) const {
  const LameParameters lame = linearized(user);
  if (!(lame.mu > 0)) {
    fail_input(
        code::material_value,
        "material model 'mooney_rivlin': c10 is {} and c01 is {}, but c10 + c01 (half the shear modulus) must be "
        "positive",
        user[0], user[1]);
  }
  if (!(3 * lame.lambda + 2 * lame.mu > 0)) {
    fail_input(
        code::material_value,
        "material model 'mooney_rivlin': kappa is {} with c10 {} and c01 {}, but kappa + 4/3 c10 + 16/3 c01 (the bulk "
        "modulus) must be positive",
        user[2], user[0], user[1]);
  }
  for (int k = 0; k < 3; ++k) kernel[k] = user[k];
}

// With I1 - 3 = i1 and I2 - 3 = 2 i1 + i2 in the invariants of stretch.h:
//   W = (c10 + 2 c01) (i1 - 2 ln J) + c01 i2 + kappa/2 (ln J)^2.
Lanes MooneyRivlin::energy(const StrainInvariants<Lanes>& t, const Lanes* kernel) const {
  const Lanes &c10 = kernel[0], &c01 = kernel[1], &kappa = kernel[2];
  const Lanes log_j = log1p(t.j_minus1);
  const Lanes w = (c10 + 2.0 * c01) * (t.i1 - 2.0 * log_j) + c01 * t.i2 + 0.5 * kappa * log_j * log_j;
  return select(t.j_minus1 > -1.0, w, infinity_lanes());
}

// With p = kappa ln J - 2 (c10 + 2 c01):
//   w_i  = 2 c10 s_i + 2 c01 s_i (s_j^2 + s_k^2) + p / s_i
//   w_ii = 2 c10 + 2 c01 (s_j^2 + s_k^2) + (kappa - p) / s_i^2,  w_jk = 4 c01 s_j s_k + kappa / (s_j s_k)
//   flip, twist = 2 c10 + 2 c01 s_i^2 -+ (2 c01 s_j s_k + p / (s_j s_k)).
void MooneyRivlin::evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const {
  const Lanes &c10 = kernel[0], &c01 = kernel[1], &kappa = kernel[2];
  const auto t = stretch_strain(s);
  if (order == Order::value) {
    out.value = energy(strain_invariants(t), kernel);
    return;
  }
  const Lanes log_j = log1p(t.j_minus1);
  const Lanes inverse_j = 1.0 / (s[0] * s[1] * s[2]);
  const Lanes inverse[3] = {s[1] * s[2] * inverse_j, s[0] * s[2] * inverse_j, s[0] * s[1] * inverse_j};
  for (int i = 0; i < 3; ++i) {
    // s_i w_i in terms of a_i = s_i^2 - 1, so that every term vanishes at rest.
    const Lanes others = t.a[(i + 1) % 3] + t.a[(i + 2) % 3];
    const Lanes scaled = 2.0 * c10 * t.a[i] + 2.0 * c01 * (2.0 * t.a[i] + others + t.a[i] * others) + kappa * log_j;
    out.first[i] = scaled * inverse[i];
  }
  if (order == Order::gradient) return;
  const Lanes p = kappa * log_j - 2.0 * (c10 + 2.0 * c01);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Lanes product = s[j] * s[k], pair = s[i] * inverse_j;
    const Lanes shear = 2.0 * c10 + 2.0 * c01 * (s[i] * s[i]);
    out.diagonal[i] = 2.0 * c10 + 2.0 * c01 * (s[j] * s[j] + s[k] * s[k]) + (kappa - p) * (inverse[i] * inverse[i]);
    out.mixed[i] = 4.0 * c01 * product + kappa * pair;
    out.flip[i] = shear - 2.0 * c01 * product - p * pair;
    out.twist[i] = shear + 2.0 * c01 * product + p * pair;
  }
}

}  // namespace sinew
