// Stable neo-Hookean solid (Smith et al. 2018, equation 14), finite and smooth also for inverted elements:
//
//   W = mu'/2 (I1 - 3) + lambda'/2 ((J - alpha)^2 - (1 - alpha)^2) - mu'/2 ln((I1 + 1)/4),
//   mu' = 4/3 mu,   lambda' = lambda + 5/6 mu,   alpha = 1 + 3 mu'/(4 lambda').
#pragma once

#include "sinew/material/lame_model.h"

namespace sinew {

class StableNeoHookean final : public LameModel {
 public:
  std::string name() const override { return "stable_neo_hookean"; }
  VolumePart volume_part() const override { return {VolumeEnergy::squared, 0}; }
  bool requires_positive_volume() const override { return false; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;
  bool has_invariant_form() const override { return true; }
  Lanes energy(const StrainInvariants<Lanes>& invariants, const Lanes* kernel) const override;
};

}  // namespace sinew
