// Soft tissue with families of collagen fibers whose directions are dispersed (Gasser, Ogden and Holzapfel 2006).
// Fibers have the full invariants of Nolan et al. (2014), which also hold for compressible tissue:
//
//   W = mu/2 (I1 J^(-2/3) - 3) + bulk/2 (ln J)^2 + sum over the families k1 / (2 k2) (exp(k2 E^2) - 1),
//   E = dispersion (I1 - 3) + (1 - 3 dispersion) (I4 - 1),   I4 = |F d|^2,
//
// where a family d counts only if E > 0: fibers do not bear compression. dispersion 0: all along d; 1/3: in all
// directions. The model has the ground substance; fiber_family.h adds the families.
#pragma once

#include "sinew/material/rubber.h"

namespace sinew {

class HolzapfelGasserOgden final : public RubberOf<HolzapfelGasserOgden> {
 public:
  std::string name() const override { return "holzapfel_gasser_ogden"; }
  int family_parameter() const override { return 2; }  // k1, k2, dispersion
  static RubberDensity density(const Lanes& x, Order order, const Lanes* kernel);

 protected:
  std::vector<ParameterInfo> density_parameters() const override;
  int density_parameter_count() const override { return 4; }
  void density_from_user(const double* user, double* kernel) const override;
  double shear_modulus(const double* kernel) const override { return kernel[0]; }
};

}  // namespace sinew
