// Compressible Mooney-Rivlin solid, for J > 0:
//
//   W = c10 (I1 - 3) + c01 (I2 - 3) - 2 (c10 + 2 c01) ln J + kappa/2 (ln J)^2.
//
// At rest mu = 2 (c10 + c01) and lambda = kappa + 4 c01.
#pragma once

#include "sinew/material/model.h"

namespace sinew {

class MooneyRivlin final : public MaterialModel {
 public:
  std::string name() const override { return "mooney_rivlin"; }
  std::vector<ParameterInfo> parameters() const override;
  std::vector<std::vector<std::string>> parameter_sets() const override;
  int kernel_parameter_count() const override { return 3; }  // c10, c01, kappa
  VolumePart volume_part() const override { return {VolumeEnergy::log_squared, 2}; }
  bool requires_positive_volume() const override { return true; }
  LameParameters linearized(const double* kernel) const override;
  void evaluate(const Lanes* s, const Lanes* kernel, Order order, StretchDerivatives<Lanes>& out) const override;
  bool has_invariant_form() const override { return true; }
  Lanes energy(const StrainInvariants<Lanes>& invariants, const Lanes* kernel) const override;

 protected:
  void kernel_from_user(int set, const double* user, double* kernel) const override;
};

}  // namespace sinew
