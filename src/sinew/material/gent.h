// Rubber of Gent (1996, "A new constitutive relation for rubber"), whose chains stretch to a limit:
//
//   phi(x) = -mu jm / 2 ln(1 - x / jm),   x = I1 J^(-2/3) - 3 < jm,
//
// and infinite beyond. mu is the shear modulus at rest.
#pragma once

#include "sinew/material/rubber.h"

namespace sinew {

class Gent final : public RubberOf<Gent> {
 public:
  std::string name() const override { return "gent"; }
  static RubberDensity density(const Lanes& x, Order order, const Lanes* kernel);  // mu, jm

 protected:
  std::vector<ParameterInfo> density_parameters() const override;
  int density_parameter_count() const override { return 2; }
  void density_from_user(const double* user, double* kernel) const override;
  double shear_modulus(const double* kernel) const override { return kernel[0]; }
};

}  // namespace sinew
