// sinew response: amplitude and phase of a scene's sensors under harmonic loads, over the frequency.
#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <numbers>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/perturbation_options.h"
#include "sinew/app/scene_options.h"
#include "sinew/app/svg_chart.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/perturbation/frequency_response.h"

namespace sinew::app {
namespace {

struct ResponseRequest {
  SceneOptions scene;
  PerturbationOptions perturbation;
  double from = 0, to = 0;  // [Hz]
  int points = 200, modes = 20;
  bool logarithmic = false, direct = false, modes_given = false;
  double damping_ratio = 0, loss_factor = 0;
  std::string file, plot;
};

constexpr double degrees = 180 / std::numbers::pi;

std::vector<double> frequencies(const ResponseRequest& options) {
  std::vector<double> list;
  for (int k = 0; k < options.points; ++k) {
    const double t = options.points > 1 ? static_cast<double>(k) / (options.points - 1) : 0;
    list.push_back(options.logarithmic ? options.from * std::pow(options.to / options.from, t)
                                       : options.from + t * (options.to - options.from));
  }
  return list;
}

void check(const ResponseRequest& options) {
  if (!(options.from > 0) || !(options.to >= options.from) || !std::isfinite(options.to))
    fail_input(code::usage, "--from, --to: found {:g} and {:g} Hz, expected 0 < from <= to", options.from, options.to);
  if (options.direct && options.modes_given)
    fail_input(code::usage, "--modes: has no effect with --direct; give one of the two");
  const std::pair<double, const char*> not_negative[] = {{options.damping_ratio, "--damping-ratio"},
                                                         {options.loss_factor, "--loss-factor"}};
  for (const auto& [value, name] : not_negative)
    if (!(value >= 0) || !std::isfinite(value))
      fail_input(code::usage, "{}: found {:g}, expected a number of at least 0", name, value);
  options.perturbation.contacts();
}

std::string table(const HarmonicResponse& response, const std::vector<double>& frequency) {
  std::string text = "frequency [Hz]";
  for (const LinearSensors::Column& column : response.columns)
    text += fmt::format(",{0} amplitude [{1}],{0} phase [deg]", column.name, column.unit);
  text += "\n";
  for (std::size_t k = 0; k < frequency.size(); ++k) {
    text += fmt::format("{}", frequency[k]);
    for (const std::complex<double> value : response.values.row(static_cast<Index>(k)))
      text += fmt::format(",{},{}", std::abs(value), degrees * std::arg(value));
    text += "\n";
  }
  return text;
}

// Phases without jumps by 360 degrees from one frequency to the next.
std::vector<double> unwrapped(const Eigen::VectorXcd& values) {
  std::vector<double> phases;
  for (const std::complex<double> value : values) {
    double phase = degrees * std::arg(value);
    if (!phases.empty()) phase -= 360 * std::round((phase - phases.back()) / 360);
    phases.push_back(phase);
  }
  return phases;
}

// Amplitudes by unit, and the phases of each unit below. Numbers that stay zero beside the others are left out.
std::string plot(const std::string& title, const HarmonicResponse& response, const std::vector<double>& frequency,
                 bool logarithmic) {
  constexpr double visible = 1e-6;
  std::map<std::string, std::vector<Index>> by_unit;
  for (Index c = 0; c < response.values.cols(); ++c) by_unit[response.columns[c].unit].push_back(c);
  std::vector<Chart> charts;
  for (const auto& [unit, columns] : by_unit) {
    double largest = 0;
    for (const Index c : columns) largest = std::max(largest, response.values.col(c).cwiseAbs().maxCoeff());
    const ChartAxis x{"frequency", "Hz", logarithmic, {}};
    Chart amplitudes{title, x, {"amplitude", unit, true, {}}, {}, {}},
        phases{"", x, {"phase", "deg", false, {}}, {}, {}};
    for (const Index c : columns) {
      const Eigen::VectorXcd values = response.values.col(c);
      if (!(values.cwiseAbs().maxCoeff() > visible * largest)) continue;
      const char* color = chart_color(amplitudes.keys.size());
      const VecX sizes = values.cwiseAbs().cwiseMax(std::numeric_limits<double>::min());
      amplitudes.series.push_back(
          {ChartSeries::Kind::line, color, frequency, std::vector<double>(sizes.begin(), sizes.end())});
      phases.series.push_back({ChartSeries::Kind::line, color, frequency, unwrapped(values)});
      for (Chart* chart : {&amplitudes, &phases})
        chart->keys.push_back({response.columns[c].name, color, {ChartSeries::Kind::line}});
    }
    if (amplitudes.series.empty()) continue;
    charts.push_back(std::move(amplitudes));
    charts.push_back(std::move(phases));
  }
  return svg_of(charts);
}

// The frequency and size of each number's largest amplitude.
void print(const HarmonicResponse& response, const std::vector<double>& frequency) {
  std::size_t width = 6;
  for (const LinearSensors::Column& column : response.columns) width = std::max(width, column.name.size());
  fmt::print("{:<{}}  {:>16}  {:>18}  {:>11}\n", "number", width, "largest", "at frequency [Hz]", "phase [deg]");
  for (Index c = 0; c < response.values.cols(); ++c) {
    Index at = 0;
    const double largest = response.values.col(c).cwiseAbs().maxCoeff(&at);
    fmt::print("{:<{}}  {:>16}  {:18.9g}  {:11.4g}\n", response.columns[c].name, width,
               fmt::format("{:.6g} {}", largest, response.columns[c].unit), frequency[static_cast<std::size_t>(at)],
               degrees * std::arg(response.values(at, c)));
  }
}

int execute(const ResponseRequest& options) {
  check(options);
  for (const std::string* path : {&options.file, &options.plot})
    if (!path->empty()) require_folder_of(*path);
  keep_apart("-o", options.file, "--plot", options.plot);
  if (!options.plot.empty() && !options.plot.ends_with(".svg"))
    fail_input(code::usage, "--plot: found \"{}\", expected a file name that ends in .svg", options.plot);
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;
  Scene scene = read_scene(options.scene);
  keep_inputs(scene, "-o", options.file);
  keep_inputs(scene, "--plot", options.plot);
  const std::shared_ptr<const System> system = build_system(scene);
  require_statics(*system, "response");
  const Stopwatch watch;
  Tangent tangent = options.perturbation.tangent(scene, *system);
  const HarmonicOptions harmonic{frequencies(options),
                                 options.direct ? 0 : std::min(options.modes, tangent.free_count()),
                                 options.damping_ratio, options.loss_factor};
  HarmonicResponse response;
  {
    const activity::Listening listening(setup_listener(options.scene.quiet));
    response = frequency_response(tangent, harmonic);
  }
  print(response, harmonic.frequencies);
  const std::string by = options.direct ? "directly"
                                        : fmt::format("by {} modes up to {:.4g} Hz", response.natural.size(),
                                                      response.natural[response.natural.size() - 1]);
  fmt::print("{} frequencies {} in {:.3g} s\n", harmonic.frequencies.size(), by, watch.seconds());
  if (!options.file.empty()) {
    write_file_atomically(options.file, table(response, harmonic.frequencies));
    fmt::print("{}\n", options.file);
  }
  if (!options.plot.empty()) {
    write_file_atomically(options.plot, plot(system->setup.name, response, harmonic.frequencies, options.logarithmic));
    fmt::print("{}\n", options.plot);
  }
  return 0;
}

}  // namespace

Action add_response(CLI::App& app) {
  const auto options = std::make_shared<ResponseRequest>();
  options->scene.add_to(app);
  options->perturbation.add_to(app);
  app.add_option("--from", options->from, "Lowest frequency [Hz]")->required();
  app.add_option("--to", options->to, "Highest frequency [Hz]")->required();
  app.add_option("--points", options->points, "Number of frequencies (default: 200)")->check(whole_number(1, 1000000));
  app.add_flag("--log", options->logarithmic, "Space the frequencies evenly in their logarithm");
  auto* modes = app.add_option("--modes", options->modes, "Number of vibrations that are superposed (default: 20)")
                    ->check(whole_number(1, 100000));
  app.add_flag("--direct", options->direct, "Solve the equations of all vertices at each frequency, without modes");
  app.add_option("--damping-ratio", options->damping_ratio,
                 "Damping ratio of each mode, besides the damping of bodies (default: 0)");
  app.add_option("--loss-factor", options->loss_factor,
                 "Loss factor of the stiffness, for materials with hysteresis (default: 0)");
  app.add_option("-o,--output", options->file, "Write amplitudes and phases to this file (.csv)")
      ->check(not_empty("the name of a file"));
  app.add_option("--plot", options->plot, "Plot amplitudes and phases to this file (.svg)")
      ->check(not_empty("the name of a file"));
  return [options, modes] {
    options->modes_given = modes->count() > 0;
    return execute(*options);
  };
}

}  // namespace sinew::app
