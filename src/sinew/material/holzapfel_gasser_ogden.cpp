#include "sinew/material/holzapfel_gasser_ogden.h"

#include <algorithm>

#include "sinew/material/lame_model.h"

namespace sinew {

std::vector<ParameterInfo> HolzapfelGasserOgden::density_parameters() const {
  ParameterInfo dispersion{"dispersion", "", "spread of the directions: 0 all along the family's, 1/3 in all", 0.0,
                           1.0 / 3};
  dispersion.minimum_allowed = dispersion.maximum_allowed = true;
  return {
      mu_info(), {"k1", "Pa", "stiffness of the fibers", 0.0}, {"k2", "", "growth of that stiffness", 0.0}, dispersion};
}

void HolzapfelGasserOgden::density_from_user(const double* user, double* kernel) const {
  std::copy_n(user, 4, kernel);
}

// phi = mu/2 x.
RubberDensity HolzapfelGasserOgden::density(const Lanes& x, Order, const Lanes* kernel) {
  const Lanes half = 0.5 * kernel[0];
  return {half * x, half, Lanes(0.0)};
}

}  // namespace sinew
