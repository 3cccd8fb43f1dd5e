// Corotated linear elasticity, W = mu |F - R|^2 + lambda/2 tr(R^T F - I)^2.
#pragma once

#include "sinew/material/lame_model.h"

namespace sinew {

class Corotated final : public LameModel {
 public:
  std::string name() const override { return "corotated"; }
  bool requires_positive_volume() const override { return false; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;
};

}  // namespace sinew
