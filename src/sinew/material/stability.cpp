#include "sinew/material/stability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "sinew/core/types.h"

namespace sinew {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The smallest eigenvalue of D. If it is lost in rounding, the smallest pivot of L diag(d) L^T, which has its sign: a
// crushed foam has entries of very different sizes.
double smallest_of_all(const double (&entries)[3][3]) {
  constexpr double rounding = 1e-13;
  const Mat3 D = Eigen::Map<const Mat3>(entries[0]);
  const double smallest = D.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
  if (!(std::abs(smallest) <= rounding * D.norm())) return smallest;
  const double first = D(0, 0), a = D(1, 0) / first, b = D(2, 0) / first;
  const double second = D(1, 1) - a * D(1, 0), mixed = D(2, 1) - a * D(2, 0);
  const double third = D(2, 2) - b * D(2, 0) - mixed * mixed / second;
  return std::min({first, second, third});
}

}  // namespace

double drucker_stiffness(const MaterialModel& model, std::span<const double> kernel,
                         const PrincipalStretches& stretches) {
  if (std::isnan(stretches[2])) return stretches[2];
  Lanes parameters[MaterialModel::max_kernel_parameters];
  for (std::size_t k = 0; k < kernel.size(); ++k) parameters[k] = kernel[k];
  const Lanes s[3] = {stretches[0], stretches[1], stretches[2]};
  StretchDerivatives<Lanes> w;
  model.evaluate(s, parameters, Order::value, w);
  if (!(w.value[0] < infinity)) return infinity;
  model.evaluate(s, parameters, Order::gradient, w);
  double first[3];
  for (int i = 0; i < 3; ++i) first[i] = w.first[i][0];
  model.evaluate(s, parameters, Order::hessian, w);
  double D[3][3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    D[i][i] = stretches[i] * first[i] + stretches[i] * stretches[i] * w.diagonal[i][0];
    D[j][k] = D[k][j] = stretches[j] * stretches[k] * w.mixed[i][0];
  }
  if (model.is_foam()) return smallest_of_all(D);
  // In the basis (1, -1, 0) / sqrt(2), (1, 1, -2) / sqrt(6) of sum e = 0.
  const double a = 0.5 * (D[0][0] - 2 * D[0][1] + D[1][1]);
  const double b = (D[0][0] - D[1][1] - 2 * (D[0][2] - D[1][2])) / std::sqrt(12.0);
  const double c = (D[0][0] + D[1][1] + 2 * D[0][1] - 4 * (D[0][2] + D[1][2]) + 4 * D[2][2]) / 6;
  return 0.5 * (a + c) - std::hypot(0.5 * (a - c), b);
}

double drucker_stiffness(const MaterialModel& model, std::span<const double> kernel, Experiment experiment, double l) {
  return drucker_stiffness(model, kernel, principal_stretches(model, kernel, experiment, l));
}

std::vector<StableRange> stable_ranges(const MaterialModel& model, std::span<const double> kernel) {
  constexpr int samples = 300;  // of a direction: 1 % of a stretch each
  const double step = std::log(most_stretch) / samples;
  std::vector<StableRange> ranges;
  for (const Experiment experiment : {Experiment::uniaxial, Experiment::biaxial, Experiment::shear}) {
    const auto last = [&](double sign) {
      int i = 0;
      while (i < samples && drucker_stiffness(model, kernel, experiment, std::exp(sign * step * (i + 1))) > 0) ++i;
      return std::exp(sign * step * i);
    };
    ranges.push_back({experiment, last(-1), last(1)});
  }
  return ranges;
}

}  // namespace sinew
