// Rubber of Ogden (1972, "Large deformation isotropic elasticity"), with any number of terms:
//
//   W = sum_p 2 mu_p / alpha_p^2 (sum_i (s_i J^(-1/3))^alpha_p - 3) + bulk/2 (ln J)^2,   J > 0.
//
// The shear modulus at rest is sum_p mu_p. A term stiffens if mu_p > 0; alpha_p may have either sign.
#pragma once

#include "sinew/material/model.h"

namespace sinew {

// The terms mu_p, alpha_p of a sum of powers of the stretches, as lists of equal length.
struct PowerTerms {
  std::vector<double> mu, alpha;

  double shear_modulus() const;
};

// Checks lists of a model with power terms: equal lengths, at least one term, no alpha of 0, a positive shear modulus.
// Throws InputError.
PowerTerms power_terms(const std::string& model, const UserCurves& data);

// Entries of the lists.
std::vector<ParameterInfo> power_term_lists();

class Ogden final : public MaterialModel {
 public:
  // Makes the table's entry, which is not a material; with_curves() makes materials from it.
  Ogden() = default;
  // Throws InputError naming the list, index and value.
  explicit Ogden(const UserCurves& data);

  std::string name() const override { return "ogden"; }
  std::vector<ParameterInfo> parameters() const override;
  std::vector<std::vector<std::string>> parameter_sets() const override { return {{"bulk"}, {"poisson"}}; }
  std::vector<ParameterInfo> lists() const override { return power_term_lists(); }
  SharedModel with_curves(const UserCurves& data) const override { return std::make_shared<Ogden>(data); }
  std::span<const double> data() const override { return data_; }
  int kernel_parameter_count() const override { return 1; }  // bulk
  VolumePart volume_part() const override { return {VolumeEnergy::log_squared, 0}; }
  bool requires_positive_volume() const override { return true; }
  LameParameters linearized(const double* kernel) const override;
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;

 private:
  PowerTerms terms_;
  std::vector<double> data_;
};

}  // namespace sinew
