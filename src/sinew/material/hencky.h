// Hencky's solid, W = mu sum_i l_i^2 + lambda/2 (ln J)^2 with l_i = ln s_i, J > 0: linear elasticity in logarithmic
// strains.
#pragma once

#include "sinew/material/lame_model.h"
#include "sinew/material/logarithmic.h"

namespace sinew {

class Hencky final : public LameModel {
 public:
  std::string name() const override { return "hencky"; }
  VolumePart volume_part() const override { return {VolumeEnergy::log_squared, 0}; }
  bool requires_positive_volume() const override { return true; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;
};

// (l_j - l_k) / (s_j - s_k), without cancellation.
inline Lanes logarithm_quotient(const Lanes& sj, const Lanes& sk) {
  const Lanes r = (sj - sk) / sk;
  return select(r == 0.0, Lanes(1.0), log1p(r) / select(r == 0.0, Lanes(1.0), r)) / sk;
}

}  // namespace sinew
