#include "sinew/perturbation/linear_sensors.h"

#include <complex>

#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/log.h"

namespace sinew {

LinearSensors::LinearSensors(const System& system) : system_(system) {
  if (system.sensors.empty())
    fail_input(code::sensor,
               "the scene has no sensors, expected at least one that reads a displacement; add for example "
               "\"sensors\": {{\"body\": {{\"body\": NAME, \"quantities\": [\"displacement\"]}}}}");
  std::vector<std::string> left_out;
  for (const Sensor& sensor : system.sensors)
    for (const SensorReading& reading : sensor.readings) {
      if (linear(sensor, reading))
        add(sensor, reading);
      else
        left_out.push_back(fmt::format("\"{}.{}\"", sensor.name, reading.name));
    }
  if (left_out.empty()) return;
  const std::string expected =
      "a frequency response measures displacements, positions and velocities of bodies, and forces of fixes: their "
      "components and means, not norms, minima or maxima";
  if (columns_.empty())
    fail_input(code::sensor, "sensors: found only {}. {}; add one of these", fmt::join(left_out, ", "), expected);
  log::warning("sensors left out: {}. {}", fmt::join(left_out, ", "), expected);
}

// Whether the reading is a linear function of the motion.
bool LinearSensors::linear(const Sensor& sensor, const SensorReading& reading) const {
  if (reading.component == SensorReading::norm) return false;
  if (reading.quantity == Quantity::force) return sensor.target == SensorTarget::fix;
  const bool of_vertices = reading.quantity == Quantity::displacement || reading.quantity == Quantity::position ||
                           reading.quantity == Quantity::velocity;
  return of_vertices && sensor.places[0].obstacle < 0 && reading.statistic == Statistic::mean;
}

// Rows for each component.
void LinearSensors::add(const Sensor& sensor, const SensorReading& reading) {
  const Quantity quantity = reading.quantity;
  const bool of_fix = quantity == Quantity::force;
  const std::vector<std::string_view> numbers = reading.numbers();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const int axis = reading.component == SensorReading::all ? static_cast<int>(k) : reading.component;
    rows_.push_back({of_fix                           ? Source::reaction
                     : quantity == Quantity::velocity ? Source::velocity
                                                      : Source::displacement,
                     of_fix ? reaction_rows(sensor, axis) : weights(sensor, axis)});
    columns_.push_back({numbers[k].empty() ? fmt::format("{}.{}", sensor.name, reading.name)
                                           : fmt::format("{}.{}.{}", sensor.name, reading.name, numbers[k]),
                        std::string(info_of(quantity).unit)});
    reads_forces_ |= of_fix;
  }
}

// The weighted mean of the place's vertices.
std::vector<std::pair<Index, double>> LinearSensors::weights(const Sensor& sensor, int axis) const {
  const SensorPlace& place = sensor.places[0];
  const bool weighted = place.weights.size() == place.vertices.size();
  double sum = 0;
  std::vector<std::pair<Index, double>> entries;
  for (std::size_t i = 0; i < place.vertices.size(); ++i) {
    entries.emplace_back(3 * place.vertices[i] + axis, weighted ? place.weights[i] : 1.0);
    sum += entries.back().second;
  }
  for (auto& entry : entries) entry.second /= sum;
  return entries;
}

// The sum of the reactions at the coordinates that the fix prescribes.
std::vector<std::pair<Index, double>> LinearSensors::reaction_rows(const Sensor& sensor, int axis) const {
  std::vector<std::pair<Index, double>> entries;
  for (const PrescribedVertex& p : system_.prescribed)
    if (p.axes[axis] && system_.vertex_body[p.vertex] == sensor.places[0].body &&
        (sensor.entry < 0 || p.entry == sensor.entry))
      entries.emplace_back(3 * p.vertex + axis, 1.0);
  return entries;
}

ComplexVector LinearSensors::measure(const ComplexVector& u, const ComplexVector& reactions, double omega) const {
  ComplexVector numbers = ComplexVector::Zero(static_cast<Index>(rows_.size()));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const ComplexVector& from = rows_[r].source == Source::reaction ? reactions : u;
    std::complex<double> sum = 0;
    for (const auto& [coordinate, weight] : rows_[r].entries) sum += weight * from[coordinate];
    if (rows_[r].source == Source::velocity) sum *= std::complex<double>(0, omega);
    numbers[static_cast<Index>(r)] = sum;
  }
  return numbers;
}

}  // namespace sinew
