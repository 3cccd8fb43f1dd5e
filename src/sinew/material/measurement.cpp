#include "sinew/material/measurement.h"

#include <cmath>

#include "sinew/core/error.h"
#include "sinew/material/number_rows.h"

namespace sinew {

namespace {

constexpr double greatest_stress = 1e20;  // [Pa], as in scenes

}  // namespace

const char* experiment_name(Experiment experiment) {
  constexpr const char* names[] = {"uniaxial", "biaxial", "shear"};
  return names[static_cast<int>(experiment)];
}

// Incompressibility, s_0 s_1 s_2 = 1, gives the stretch of the free face.
double free_stretch(Experiment experiment, double stretch) {
  if (experiment == Experiment::uniaxial) return 1 / std::sqrt(stretch);
  return experiment == Experiment::biaxial ? 1 / (stretch * stretch) : 1 / stretch;
}

// P = w_0 - w_2 s_2 / s_0: the pressure p = w_2 s_2 that keeps the volume makes the free face free of stress.
std::vector<double> nominal_stress(const MaterialModel& model, std::span<const double> kernel, Experiment experiment,
                                   std::span<const double> stretch) {
  Lanes parameters[MaterialModel::max_kernel_parameters];
  for (std::size_t k = 0; k < kernel.size(); ++k) parameters[k] = kernel[k];
  std::vector<double> stress(stretch.size());
  for (std::size_t i = 0; i < stretch.size(); ++i) {
    const double l = stretch[i], free = free_stretch(experiment, l);
    const double middle = experiment == Experiment::uniaxial ? free : experiment == Experiment::biaxial ? l : 1.0;
    const Lanes s[3] = {l, middle, free};
    StretchDerivatives<Lanes> w;
    model.evaluate(s, parameters, Order::gradient, w);
    stress[i] = w.first[0][0] - w.first[2][0] * free / l;
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
