#include "sinew/material/yeoh.h"

namespace sinew {

std::vector<ParameterInfo> Yeoh::density_parameters() const {
  return {{"c10", "Pa", "coefficient of x = I1 J^(-2/3) - 3, half the shear modulus at rest", 0.0},
          {"c20", "Pa", "coefficient of x^2"},
          {"c30", "Pa", "coefficient of x^3"}};
}

void Yeoh::density_from_user(const double* user, double* kernel) const {
  for (int k = 0; k < 3; ++k) kernel[k] = user[k];
}

RubberDensity Yeoh::density(const Lanes& x, Order order, const Lanes* kernel) {
  const Lanes &c10 = kernel[0], &c20 = kernel[1], &c30 = kernel[2];
  if (order == Order::value) return {x * (c10 + x * (c20 + x * c30)), Lanes(0.0), Lanes(0.0)};
  return {Lanes(0.0), c10 + x * (2.0 * c20 + 3.0 * (x * c30)), 2.0 * c20 + 6.0 * (x * c30)};
}

}  // namespace sinew
