#include "sinew/material/effective_stiffness.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// dW/ds1 at the stretches (s, 1, 1) [Pa].
double stress(const MaterialModel& model, const Lanes* kernel, double s) {
  const Lanes stretches[3] = {Lanes(s), Lanes(1.0), Lanes(1.0)};
  StretchDerivatives<Lanes> w;
  model.evaluate(stretches, kernel, Order::gradient, w);
  double lanes[lane_count];
  store_lanes(w.first[0], lanes);
  return lanes[0];
}

}  // namespace

// k = 12 / (high - low)^3 int (s - mean) dW/ds1 ds (Liu, Bouaziz, Kavan 2017, section 4.1), by Gauss's rule of three
// points on 64 panels.
double effective_stiffness(const MaterialModel& model, const double* kernel, double low, double high) {
  constexpr int panels = 64;
  constexpr double point = 0.77459666924148338, weights[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  std::vector<Lanes> values;
  for (int p = 0; p < model.kernel_parameter_count(); ++p) values.emplace_back(kernel[p]);
  const double mean = 0.5 * (low + high), half = 0.5 * (high - low) / panels;
  double integral = 0;
  for (int k = 0; k < panels; ++k)
    for (int i = 0; i < 3; ++i) {
      const double s = low + half * (2 * k + 1 + (i - 1) * point);
      integral += half * weights[i] * (s - mean) * stress(model, values.data(), s);
    }
  const double slope = 12 / std::pow(high - low, 3) * integral;
  if (std::isfinite(slope) && slope > 0) return slope;
  // A material that softens under strain, or whose domain ends within the interval, may have no positive slope: the
  // stiffness at rest stands in.
  const LameParameters rest = model.linearized(kernel);
  return std::max(rest.lambda + 2 * rest.mu, rest.mu);
}

}  // namespace sinew
