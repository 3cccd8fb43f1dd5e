// Fixed corotated solid (Stomakhin et al. 2012), W = mu |F - R|^2 + lambda/2 (J - 1)^2.
#pragma once

#include "sinew/material/lame_model.h"

namespace sinew {

class FixedCorotated final : public LameModel {
 public:
  std::string name() const override { return "fixed_corotated"; }
  VolumePart volume_part() const override { return {VolumeEnergy::squared, 0}; }
  bool requires_positive_volume() const override { return false; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;
};

}  // namespace sinew
