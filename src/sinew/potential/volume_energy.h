// U(J) of mixed elements, whose J is a mean over several tets or quadrature points (Simo, Taylor and Pister 1985;
// Bonet and Burton 1998). A model W = W'(F) + k U(J) (material/model.h) gives W' at each of them and k U at their mean.
#pragma once

#include <cmath>

#include "sinew/material/lanes_math.h"
#include "sinew/material/model.h"
#include "sinew/material/svd3.h"

namespace sinew {

template <class T>
struct VolumeDerivatives {
  T value, first, second;
};

inline VolumeDerivatives<double> volume_energy(VolumeEnergy form, double J) {
  if (form == VolumeEnergy::squared) return {0.5 * (J - 1) * (J - 1), J - 1, 1};
  if (!(J > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double l = std::log(J);
  return {0.5 * l * l, l / J, (1 - l) / (J * J)};
}

// j_minus1: J - 1, whose digits near rest matter.
inline VolumeDerivatives<Lanes> volume_energy(VolumeEnergy form, const Lanes& j_minus1) {
  if (form == VolumeEnergy::squared) return {0.5 * j_minus1 * j_minus1, j_minus1, Lanes(1.0)};
  const Lanes J = 1.0 + j_minus1, l = log1p(j_minus1);
  return {select(j_minus1 > -1.0, 0.5 * l * l, infinity_lanes()), l / J, (1.0 - l) / (J * J)};
}

// The terms of p J in the derivatives of a density by stretches: J = s_0 s_1 s_2.
template <class L>
[[gnu::always_inline]] inline void add_pressure(const L* s, const L& p, Order order, StretchDerivatives<L>& w) {
  for (int i = 0; i < 3; ++i) w.first[i] += p * s[(i + 1) % 3] * s[(i + 2) % 3];
  if (order != Order::hessian) return;
  for (int i = 0; i < 3; ++i) {
    w.mixed[i] += p * s[i];
    w.flip[i] -= p * s[i];
    w.twist[i] += p * s[i];
  }
}

}  // namespace sinew
