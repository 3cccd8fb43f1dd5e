// Neo-Hookean solid, W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2, J > 0.
#pragma once

#include "sinew/material/lame_model.h"

namespace sinew {

class NeoHookean final : public LameModel {
 public:
  std::string name() const override { return "neo_hookean"; }
  VolumePart volume_part() const override { return {VolumeEnergy::log_squared, 0}; }
  bool requires_positive_volume() const override { return true; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;
  bool has_invariant_form() const override { return true; }
  Lanes energy(const StrainInvariants<Lanes>& invariants, const Lanes* kernel) const override;
};

}  // namespace sinew
