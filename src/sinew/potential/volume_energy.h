// U(J) of mixed elements, whose J is a mean over several points (potential/nodal_volume.h). A model W = W'(F) + k U(J)
// (material/model.h) gives W' at each of them and k U at their mean.
#pragma once

#include <cmath>
#include <limits>

#include "sinew/material/model.h"
#include "sinew/material/svd3.h"

namespace sinew {

struct VolumeDerivatives {
  double value, first, second;
};

inline VolumeDerivatives volume_energy(VolumeEnergy form, double J) {
  if (form == VolumeEnergy::squared) return {0.5 * (J - 1) * (J - 1), J - 1, 1};
  if (!(J > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double l = std::log(J);
  return {0.5 * l * l, l / J, (1 - l) / (J * J)};
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
