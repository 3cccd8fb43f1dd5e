// Rubber of Arruda and Boyce (1993, "A three-dimensional constitutive model for the large stretch behavior of rubber
// elastic materials"): eight chains per cell, which stretch to a limit `locking`. With I = I1 J^(-2/3) and the first
// five terms of the series of the inverse Langevin function,
//
//   phi = mu sum_k a_k / locking^(2 k - 2) (I^k - 3^k),   a = 1/2, 1/20, 11/1050, 19/7000, 519/673750.
//
// The shear modulus at rest is larger than mu: 2 mu sum_k k a_k (3 / locking^2)^(k-1).
#pragma once

#include "sinew/material/rubber.h"

namespace sinew {

class ArrudaBoyce final : public RubberOf<ArrudaBoyce> {
 public:
  std::string name() const override { return "arruda_boyce"; }
  static RubberDensity density(const Lanes& x, Order order, const Lanes* kernel);  // mu, 1 / locking^2

 protected:
  std::vector<ParameterInfo> density_parameters() const override;
  int density_parameter_count() const override { return 2; }
  void density_from_user(const double* user, double* kernel) const override;
  double shear_modulus(const double* kernel) const override;
};

}  // namespace sinew
