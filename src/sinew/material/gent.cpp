#include "sinew/material/gent.h"

#include "sinew/material/lame_model.h"

namespace sinew {

std::vector<ParameterInfo> Gent::density_parameters() const {
  return {mu_info(), {"jm", "", "limit of I1 J^(-2/3) - 3, at which the stress is infinite", 0.0}};
}

void Gent::density_from_user(const double* user, double* kernel) const {
  kernel[0] = user[0];
  kernel[1] = user[1];
}

// phi' = mu/2 / (1 - x/jm),  phi'' = phi' / (jm - x).
RubberDensity Gent::density(const Lanes& x, Order order, const Lanes* kernel) {
  const Lanes &mu = kernel[0], &jm = kernel[1];
  if (order == Order::value) {
    const auto inside = x < jm;
    const Lanes share = select(inside, x / jm, Lanes(0.0));
    return {select(inside, -0.5 * mu * jm * log1p(-share), infinity_lanes()), Lanes(0.0), Lanes(0.0)};
  }
  const Lanes left = 1.0 / (jm - x), slope = 0.5 * mu * (jm * left);
  return {Lanes(0.0), slope, slope * left};
}

}  // namespace sinew
