#include "sinew/material/third_order.h"

#include <algorithm>

#include "sinew/material/lanes.h"

namespace sinew {
namespace {

// Central differences of sixth order: the rounding of second derivatives over the step, and the step's sixth power,
// leave about 1e-12.
constexpr double step = 2e-3;
constexpr double weights[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};

}  // namespace

// Of W as a function of the stretches s, with e_i = (s_i^2 - 1) / 2, so that e' = e'' = 1 and e''' = 0 at rest:
//   w_00 = lambda + 2 mu,  w_01 = lambda,  w_012 = nu1,  w_001 = nu1 + 2 nu2 + w_01,
//   w_000 = nu1 + 6 nu2 + 8 nu3 + 3 w_00.
ThirdOrderConstants third_order_constants(const MaterialModel& model, std::span<const double> kernel) {
  Lanes parameters[MaterialLaw::max_kernel_parameters];
  for (std::size_t k = 0; k < kernel.size(); ++k) parameters[k] = Lanes(kernel[k]);
  const auto at = [&](double s0, double s1) {
    const Lanes s[3] = {Lanes(s0), Lanes(s1), Lanes(1.0)};
    StretchDerivatives<Lanes> w;
    model.evaluate(s, parameters, Order::hessian, w);
    return w;
  };
  const StretchDerivatives<Lanes> rest = at(1, 1);
  double w000 = 0, w001 = 0, w012 = 0;
  for (int k = 1; k <= 3; ++k)
    for (const double side : {-1.0, 1.0}) {
      const double h = side * k * step, weight = side * weights[k - 1] / step;
      const StretchDerivatives<Lanes> along = at(1 + h, 1), across = at(1, 1 + h);
      w000 += weight * along.diagonal[0][0];
      w001 += weight * across.diagonal[0][0];
      w012 += weight * across.mixed[1][0];
    }
  ThirdOrderConstants c;
  c.lambda = rest.mixed[2][0];
  c.mu = 0.5 * (rest.diagonal[0][0] - c.lambda);
  c.nu1 = w012;
  c.nu2 = 0.5 * (w001 - c.lambda - c.nu1);
  c.nu3 = (w000 - 3 * rest.diagonal[0][0] - c.nu1 - 6 * c.nu2) / 8;
  return c;
}

}  // namespace sinew
