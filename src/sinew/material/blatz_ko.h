// Foam of Blatz and Ko (1962, "Application of finite elastic theory to the deformation of rubbery materials"):
//
//   W = mu/2 (I2/I3 + 2 J - 5) = mu/2 (sum_i 1/s_i^2 + 2 J - 5),   J > 0.
//
// At rest lambda = mu: Poisson's ratio is 1/4.
#pragma once

#include "sinew/material/model.h"

namespace sinew {

class BlatzKo final : public MaterialModel {
 public:
  std::string name() const override { return "blatz_ko"; }
  std::vector<ParameterInfo> parameters() const override;
  std::vector<std::vector<std::string>> parameter_sets() const override { return {{"mu"}, {"young"}}; }
  int kernel_parameter_count() const override { return 1; }  // mu
  bool requires_positive_volume() const override { return true; }
  bool is_foam() const override { return true; }
  LameParameters linearized(const double* kernel) const override { return {kernel[0], kernel[0]}; }
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;
};

}  // namespace sinew
