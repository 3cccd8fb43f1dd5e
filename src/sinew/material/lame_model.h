// Base class of the models whose kernel parameters are Lamé's lambda and mu. Users give these, or Young's modulus and
// Poisson's ratio.
#pragma once

#include "sinew/material/model.h"

namespace sinew {

class LameModel : public MaterialModel {
 public:
  std::vector<ParameterInfo> parameters() const override;
  std::vector<std::vector<std::string>> parameter_sets() const override;
  int kernel_parameter_count() const override { return 2; }  // lambda, mu
  LameParameters linearized(const double* kernel) const override { return {kernel[0], kernel[1]}; }

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;
};

// Entries that several parameter lists share.
ParameterInfo young_info();
ParameterInfo poisson_info();
ParameterInfo mu_info();

}  // namespace sinew
