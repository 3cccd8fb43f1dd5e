// Quartic energy, W = mu sum (s_i - 1)^4 (Valanis-Landel with a(s) = mu (s - 1)^4, b = c = 0): no stiffness at rest.
#pragma once

#include "sinew/material/model.h"

namespace sinew {

class Polynomial final : public MaterialModel {
 public:
  std::string name() const override { return "polynomial"; }
  std::vector<ParameterInfo> parameters() const override;
  std::vector<std::vector<std::string>> parameter_sets() const override { return {{"mu"}}; }
  int kernel_parameter_count() const override { return 1; }  // mu
  bool requires_positive_volume() const override { return false; }
  LameParameters linearized(const double*) const override { return {0.0, 0.0}; }
  // Slope of the least-squares line of the stress dW/ds over s in [0.5, 1.5]: 12 int (s - 1) W' ds = 0.6 mu.
  double equivalent_young(const double* kernel) const override { return 0.6 * kernel[0]; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;

 protected:
  void kernel_from_user(int, const double* user, double* kernel) const override { kernel[0] = user[0]; }
};

}  // namespace sinew
