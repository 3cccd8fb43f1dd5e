#include "sinew/material/measurement.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/core/utf8.h"

namespace sinew {

namespace {

constexpr std::size_t largest_file = 100'000'000;  // [bytes]
constexpr std::size_t fewest_points = 3;
constexpr double greatest_stress = 1e20;  // [Pa], as in scenes

bool is_separator(char c) {
  return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

// The fields of a line between commas, semicolons, blanks and tabs.
std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  while (!line.empty()) {
    std::size_t end = 0;
    while (end < line.size() && !is_separator(line[end])) ++end;
    if (end > 0) fields.push_back(line.substr(0, end));
    line.remove_prefix(end < line.size() ? end + 1 : end);
  }
  return fields;
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// Appends the point of a line.
void read_point(const std::string& place, std::string_view line, bool first, Measurement& measurement) {
  const std::vector<std::string_view> fields = split_fields(line);
  if (fields.empty() || fields[0].starts_with('#')) return;
  const std::optional<double> stretch = parse_number(fields[0]);
  if (first && !stretch) return;  // a header
  const std::optional<double> stress = fields.size() == 2 ? parse_number(fields[1]) : std::nullopt;
  if (!stretch || !stress)
    fail_input(code::measurement,
               "{}: found \"{}\", expected two numbers, stretch and nominal stress [Pa], as 1.5, 2e5", place,
               shortened(as_utf8(line)));
  if (!(std::isfinite(*stretch) && *stretch > 0))
    fail_input(code::measurement,
               "{}: found stretch {}, expected a finite number greater than 0; is it a strain? A stretch is 1 at rest",
               place, *stretch);
  if (!(std::abs(*stress) <= greatest_stress))
    fail_input(code::measurement, "{}: found stress {}, expected a finite number with a magnitude of at most {:g}",
               place, *stress, greatest_stress);
  measurement.stretch.push_back(*stretch);
  measurement.stress.push_back(*stress);
}

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

// A point a line, "stretch, stress"; comments begin with #, and the first line may be a header.
Measurement read_measurement(const std::string& path, Experiment experiment) {
  const std::string text = read_file_or_pipe(path, "the measured curve", largest_file);
  Measurement measurement{experiment, path, {}, {}};
  std::string_view rest = text;
  bool first = true;  // no line with content yet
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    read_point(path + ":" + std::to_string(number), line, first, measurement);
    if (!split_fields(line).empty() && !line.starts_with('#')) first = false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (measurement.stretch.size() < fewest_points)
    fail_input(code::measurement, "{}: found {} point{}, expected at least {}", path, measurement.stretch.size(),
               measurement.stretch.size() == 1 ? "" : "s", fewest_points);
  return measurement;
}

}  // namespace sinew
