// As-rigid-as-possible energy, W = mu |F - R|^2: the material of projective dynamics. It has no separate resistance to
// changes of volume.
#pragma once

#include "sinew/material/model.h"

namespace sinew {

class Arap final : public MaterialModel {
 public:
  std::string name() const override { return "arap"; }
  std::vector<ParameterInfo> parameters() const override;
  std::vector<std::vector<std::string>> parameter_sets() const override;
  int kernel_parameter_count() const override { return 1; }  // mu
  bool requires_positive_volume() const override { return false; }
  LameParameters linearized(const double* kernel) const override { return {0.0, kernel[0]}; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;
};

}  // namespace sinew
