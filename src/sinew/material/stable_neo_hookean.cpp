#include "sinew/material/stable_neo_hookean.h"

#include "sinew/material/lanes_math.h"

namespace sinew {

namespace {

// mu' and lambda' make the linearisation at rest that of Lame's mu and lambda (Smith et al. 2018).
struct Constants {
  Lanes mu, lambda;  // mu', lambda' of the paper
};

Constants constants(const Lanes* kernel) {
  return {(4.0 / 3.0) * kernel[1], kernel[0] + (5.0 / 6.0) * kernel[1]};
}

}  // namespace

Lanes StableNeoHookean::energy(const StrainInvariants<Lanes>& t, const Lanes* kernel) const {
  const auto [mu, lambda] = constants(kernel);
  // (J - alpha)^2 - (1 - alpha)^2 = (J - 1)^2 - 2 (alpha - 1)(J - 1), and lambda' (alpha - 1) = 3/4 mu'.
  return 0.5 * mu * ((t.i1 - 1.5 * t.j_minus1) - log1p(0.25 * t.i1)) + 0.5 * lambda * t.j_minus1 * t.j_minus1;
}

// With r = 1 / (I1 + 1) and p = lambda' (J - alpha):
//   w_i  = mu' (1 - r) s_i + p s_j s_k
//   w_ii = mu' (1 - r) + 2 mu' r^2 s_i^2 + lambda' (s_j s_k)^2,  w_jk = 2 mu' r^2 s_j s_k + (p + lambda' J) s_i
//   flip, twist = mu' (1 - r) -+ p s_i.
void StableNeoHookean::evaluate(const Lanes* s, const Lanes* kernel, Order order,
                                StretchDerivatives<Lanes>& out) const {
  const auto t = stretch_strain(s);
  const auto invariants = strain_invariants(t);
  if (order == Order::value) {
    out.value = energy(invariants, kernel);
    return;
  }
  const auto [mu, lambda] = constants(kernel);
  const Lanes pull = 1.0 / (invariants.i1 + 4.0);  // 1 / (I1 + 1)
  const Lanes product[3] = {s[1] * s[2], s[0] * s[2], s[0] * s[1]};
  const Lanes volume = lambda * t.j_minus1;
  for (int i = 0; i < 3; ++i) {
    // mu' s_i (1 - 1/(I1 + 1)) - 3/4 mu' s_j s_k, written so that it vanishes exactly at rest.
    const Lanes &ej = t.e[(i + 1) % 3], &ek = t.e[(i + 2) % 3];
    const Lanes shear = 0.75 * (t.e[i] - (ej + ek + ej * ek)) + 0.25 * s[i] * invariants.i1 * pull;
    out.first[i] = mu * shear + volume * product[i];
  }
  if (order == Order::gradient) return;
  const Lanes shear = mu * (1.0 - pull);
  const Lanes bend = 2.0 * mu * pull * pull;
  const Lanes pressure = volume - 0.75 * mu;  // lambda' (J - alpha)
  const Lanes slope = pressure + lambda * (1.0 + t.j_minus1);
  for (int i = 0; i < 3; ++i) {
    out.diagonal[i] = shear + bend * s[i] * s[i] + lambda * product[i] * product[i];
    out.mixed[i] = bend * product[i] + slope * s[i];
    out.flip[i] = shear - pressure * s[i];
    out.twist[i] = shear + pressure * s[i];
  }
}

}  // namespace sinew
