// Foam of Ogden (1972) and Storakers (1986, "On material representation and constitutive branching in finite
// compressible elasticity"), with any number of terms:
//
//   W = sum_p 2 mu_p / alpha_p^2 (sum_i s_i^alpha_p - 3 + (J^(-alpha_p beta_p) - 1) / beta_p),   J > 0,
//
// beta_p = nu_p / (1 - 2 nu_p). A block pulled along one axis with one term has the lateral stretch s^(-nu). The shear
// modulus at rest is sum_p mu_p, the bulk modulus sum_p 2 mu_p (beta_p + 1/3).
#pragma once

#include "sinew/material/ogden.h"

namespace sinew {

class Hyperfoam final : public MaterialModel {
 public:
  // Makes the table's entry, which is not a material; with_curves() makes materials from it.
  Hyperfoam() = default;
  // Throws InputError naming the list, index and value.
  explicit Hyperfoam(const UserCurves& data);

  std::string name() const override { return "hyperfoam"; }
  std::vector<ParameterInfo> parameters() const override { return {}; }
  std::vector<std::vector<std::string>> parameter_sets() const override { return {{}}; }
  std::vector<ParameterInfo> lists() const override;
  SharedModel with_curves(const UserCurves& data) const override { return std::make_shared<Hyperfoam>(data); }
  std::span<const double> data() const override { return data_; }
  int kernel_parameter_count() const override { return 0; }
  bool requires_positive_volume() const override { return true; }
  bool is_foam() const override { return true; }
  LameParameters linearized(const double* kernel) const override;
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;

 private:
  PowerTerms terms_;
  std::vector<double> beta_, data_;
};

}  // namespace sinew
