#include "sinew/material/measurement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/material/number_rows.h"

namespace sinew {

namespace {

constexpr double greatest_stress = 1e20;  // [Pa], as in scenes

struct KernelLanes {
  explicit KernelLanes(std::span<const double> kernel) {
    for (std::size_t k = 0; k < kernel.size(); ++k) values[k] = kernel[k];
  }
  Lanes values[MaterialModel::max_kernel_parameters];
};

PrincipalStretches with_free_face(Experiment experiment, double stretch, double free) {
  const double middle = experiment == Experiment::uniaxial ? free : experiment == Experiment::biaxial ? stretch : 1.0;
  return {stretch, middle, free};
}

// Kirchhoff stress of the free face [Pa], and its derivative by the logarithm of the face's stretch.
struct FaceStress {
  double value, slope;
};

// t_2 = s_2 w_2, and dt_2 / d ln s_2 = s_2 w_2 + s_2^2 w_22, with s_2 s_1 w_12 if face 1 moves along.
FaceStress face_stress(const MaterialModel& model, const KernelLanes& kernel, Experiment experiment,
                       const PrincipalStretches& at) {
  const Lanes s[3] = {at[0], at[1], at[2]};
  StretchDerivatives<Lanes> w;
  model.evaluate(s, kernel.values, Order::hessian, w);
  const double t = at[2] * w.first[2][0];
  double slope = t + at[2] * at[2] * w.diagonal[2][0];
  if (experiment == Experiment::uniaxial) slope += at[1] * at[2] * w.mixed[0][0];
  return {t, slope};
}

// Solves t_2 = 0 for x = ln s_2 by Newton's method from Hooke's law. Iterates stay between the largest x with t_2 < 0
// and the smallest with t_2 > 0: steps that leave this interval are replaced by its middle, or by a step of
// `longest_step` while it has one end.
double free_stretch_of_foam(const MaterialModel& model, std::span<const double> kernel, Experiment experiment,
                            double stretch) {
  constexpr int most_iterations = 200;
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  constexpr double longest_step = 1, farthest = 100, tolerance = 1e-14;
  const LameParameters lame = model.linearized(kernel.data());
  const double poisson = lame.lambda / (2 * (lame.lambda + lame.mu));
  const KernelLanes lanes(kernel);
  double x = std::log(free_stretch(experiment, stretch, poisson));
  double low = -unbounded, high = unbounded;
  for (int k = 0; k < most_iterations && std::abs(x) < farthest; ++k) {
    const FaceStress t = face_stress(model, lanes, experiment, with_free_face(experiment, stretch, std::exp(x)));
    if (t.value == 0) return std::exp(x);
    if (!std::isfinite(t.value)) break;
    (t.value < 0 ? low : high) = x;
    double next = x - t.value / t.slope;
    if (std::abs(next - x) <= tolerance * (1 + std::abs(x))) return std::exp(next);
    const bool allowed = t.slope > 0 && next > low && next < high && std::abs(next - x) <= longest_step;
    if (!allowed) {
      const bool closed = low > -unbounded && high < unbounded;
      next = closed ? 0.5 * (low + high) : x + (t.value < 0 ? longest_step : -longest_step);
      if (closed && high - low <= tolerance * (1 + std::abs(x))) return std::exp(next);
    }
    x = next;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double largest_stress(const Measurement& m) {
  double largest = 0;
  for (const double p : m.stress) largest = std::max(largest, std::abs(p));
  return largest;
}

double residual_weight(const Measurement& m) {
  return 1 / (largest_stress(m) * std::sqrt(static_cast<double>(m.stretch.size())));
}

const char* experiment_name(Experiment experiment) {
  constexpr const char* names[] = {"uniaxial", "biaxial", "shear"};
  return names[static_cast<int>(experiment)];
}

// Incompressibility, s_0 s_1 s_2 = 1, is Hooke's law with Poisson's ratio 1/2.
double free_stretch(Experiment experiment, double stretch, double poisson) {
  if (poisson == incompressible) {
    if (experiment == Experiment::uniaxial) return 1 / std::sqrt(stretch);
    return experiment == Experiment::biaxial ? 1 / (stretch * stretch) : 1 / stretch;
  }
  if (experiment == Experiment::uniaxial) return std::pow(stretch, -poisson);
  return std::pow(stretch, (experiment == Experiment::biaxial ? -2 : -1) * poisson / (1 - poisson));
}

PrincipalStretches principal_stretches(const MaterialModel& model, std::span<const double> kernel,
                                       Experiment experiment, double stretch) {
  const double free =
      model.is_foam() ? free_stretch_of_foam(model, kernel, experiment, stretch) : free_stretch(experiment, stretch);
  return with_free_face(experiment, stretch, free);
}

// P = w_0 - w_2 s_2 / s_0: the pressure p = w_2 s_2 that keeps the volume makes the free face free of stress.
std::vector<double> nominal_stress(const MaterialModel& model, std::span<const double> kernel, Experiment experiment,
                                   std::span<const double> stretch) {
  const KernelLanes parameters(kernel);
  std::vector<double> stress(stretch.size());
  for (std::size_t i = 0; i < stretch.size(); ++i) {
    const PrincipalStretches at = principal_stretches(model, kernel, experiment, stretch[i]);
    const Lanes s[3] = {at[0], at[1], at[2]};
    StretchDerivatives<Lanes> w;
    model.evaluate(s, parameters.values, Order::gradient, w);
    stress[i] = w.first[0][0] - w.first[2][0] * at[2] / at[0];
  }
  return stress;
}

Measurement read_measurement(const std::string& path, Experiment experiment) {
  Measurement measurement{experiment, path, {}, {}};
  for (const NumberRow& row : read_number_rows(path, 2, "two numbers, stretch and nominal stress [Pa], as 1.5, 2e5")) {
    const double stretch = row.values[0], stress = row.values[1];
    if (!(std::isfinite(stretch) && stretch > 0))
      fail_input(
          code::measurement,
          "{}: found stretch {}, expected a finite number greater than 0; is it a strain? A stretch is 1 at rest",
          row.place, stretch);
    if (!(std::abs(stress) <= greatest_stress))
      fail_input(code::measurement, "{}: found stress {}, expected a finite number with a magnitude of at most {:g}",
                 row.place, stress, greatest_stress);
    measurement.stretch.push_back(stretch);
    measurement.stress.push_back(stress);
  }
  require_enough_rows(path, measurement.stretch.size());
  return measurement;
}

}  // namespace sinew
