// Rubber of Yeoh (1993, "Some forms of the strain energy function for rubber"):
//
//   phi(x) = c10 x + c20 x^2 + c30 x^3,   x = I1 J^(-2/3) - 3.
//
// mu = 2 c10 at rest. c20 < 0 softens at moderate strains, c30 > 0 stiffens at large ones.
#pragma once

#include "sinew/material/rubber.h"

namespace sinew {

class Yeoh final : public RubberOf<Yeoh> {
 public:
  std::string name() const override { return "yeoh"; }
  static RubberDensity density(const Lanes& x, Order order, const Lanes* kernel);  // c10, c20, c30

 protected:
  std::vector<ParameterInfo> density_parameters() const override;
  int density_parameter_count() const override { return 3; }
  void density_from_user(const double* user, double* kernel) const override;
  double shear_modulus(const double* kernel) const override { return 2 * kernel[0]; }
};

}  // namespace sinew
