// St. Venant-Kirchhoff solid, W = mu E:E + lambda/2 tr(E)^2 with E = (F^T F - I)/2; weak in compression.
#pragma once

#include "sinew/material/lame_model.h"

namespace sinew {

class StVenantKirchhoff final : public LameModel {
 public:
  std::string name() const override { return "stvk"; }
  bool requires_positive_volume() const override { return false; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;
  bool has_invariant_form() const override { return true; }
  Lanes energy(const StrainInvariants<Lanes>& invariants, const Lanes* kernel) const override;
};

}  // namespace sinew
