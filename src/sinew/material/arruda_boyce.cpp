#include "sinew/material/arruda_boyce.h"

#include <array>

namespace sinew {

namespace {

constexpr std::array<double, 5> chain_series{1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};

}  // namespace

std::vector<ParameterInfo> ArrudaBoyce::density_parameters() const {
  return {{"mu", "Pa", "stiffness of the chains; the shear modulus at rest is somewhat larger", 0.0},
          {"locking", "", "stretch of a chain at its limit", 1.0}};
}

void ArrudaBoyce::density_from_user(const double* user, double* kernel) const {
  kernel[0] = user[0];
  kernel[1] = 1 / (user[1] * user[1]);
}

double ArrudaBoyce::shear_modulus(const double* kernel) const {
  double sum = 0, power = 1;
  for (std::size_t k = 0; k < chain_series.size(); ++k, power *= 3 * kernel[1])
    sum += static_cast<double>(k + 1) * chain_series[k] * power;
  return 2 * kernel[0] * sum;
}

// I^k - 3^k = (I - 3) sum_m I^m 3^(k-1-m), so that nothing cancels near rest.
RubberDensity ArrudaBoyce::density(const Lanes& x, Order order, const Lanes* kernel) {
  const Lanes &mu = kernel[0], &beta = kernel[1];
  const Lanes i = x + 3.0;
  Lanes value(0.0), slope(0.0), curvature(0.0);
  Lanes power(1.0), before(0.0), quotient(1.0), scale = mu;  // I^(k-1), I^(k-2), (I^k - 3^k)/(I - 3), mu beta^(k-1)
  double three = 1;                                          // 3^k
  for (std::size_t n = 0; n < chain_series.size(); ++n) {
    const double k = static_cast<double>(n + 1);
    const Lanes a = chain_series[n] * scale;
    value += a * quotient;
    slope += k * a * power;
    curvature += k * (k - 1) * a * before;
    before = power;
    power *= i;
    three *= 3;
    quotient = i * quotient + three;
    scale *= beta;
  }
  if (order == Order::value) return {value * x, Lanes(0.0), Lanes(0.0)};
  return {Lanes(0.0), slope, curvature};
}

}  // namespace sinew
