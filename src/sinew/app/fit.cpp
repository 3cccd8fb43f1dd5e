// sinew fit: the parameters of a material from measured curves.
#include "sinew/material/fit.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numbers>
#include <optional>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sinew/app/commands.h"
#include "sinew/app/fit_plot.h"
#include "sinew/app/svg_chart.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/material/confidence.h"
#include "sinew/material/viscous_fit.h"
#include "sinew/scene/fit_materials.h"

namespace sinew::app {
namespace {

constexpr const char* only_viscosity = "viscosity";  // in place of a model

struct FitCommand {
  std::string model, out, plot;
  std::array<std::vector<std::string>, 3> files;  // by experiment
  std::vector<std::string> relaxation, dynamic;
  FitOptions options;
  std::optional<int> branches;
};

// As in the "materials" of a scene.
nlohmann::ordered_json scene_material(const FitResult& fit) {
  nlohmann::ordered_json material = {{"model", fit.model->name()}};
  material.update(fitted_parameters(fit));
  // Numbers may be rounded by hand later.
  if (!fit.curves.points.empty()) material["rest"] = "mend";
  return material;
}

// "curve.csv: relaxation, 25 points, 0.01 to 100 s: residual 0.4 % (root mean square)"
std::string viscous_residual_text(const std::string& source, const char* experiment, std::span<const double> at,
                                  double factor, const char* unit, double rms) {
  const auto [low, high] = std::ranges::minmax(at);
  return fmt::format("{}: {}, {} points, {:.3g} to {:.3g} {}: residual {:.2g} % (root mean square)", source, experiment,
                     at.size(), low * factor, high * factor, unit, 100 * rms);
}

struct MeasuredViscosity {
  std::vector<RelaxationCurve> relaxation;
  std::vector<DynamicCurve> dynamic;
  ViscousFit fit;
};

MeasuredViscosity measured_viscosity(const FitCommand& command) {
  MeasuredViscosity measured;
  for (const std::string& file : command.relaxation) measured.relaxation.push_back(read_relaxation(file));
  for (const std::string& file : command.dynamic) measured.dynamic.push_back(read_dynamic(file));
  measured.fit = fit_viscosity(measured.relaxation, measured.dynamic, command.branches);
  return measured;
}

// Residuals, and how sure the numbers are.
void print_viscosity(const MeasuredViscosity& measured) {
  const ViscousFit& fit = measured.fit;
  std::size_t curve = 0;
  for (const RelaxationCurve& c : measured.relaxation)
    fmt::print("{}\n", viscous_residual_text(c.source, "relaxation", c.time, 1, "s", fit.rms[curve++]));
  constexpr double radians = 2 * std::numbers::pi;
  for (const DynamicCurve& c : measured.dynamic)
    fmt::print("{}\n",
               viscous_residual_text(c.source, "oscillation", c.frequency, 1 / radians, "Hz", fit.rms[curve++]));
  fmt::print("modulus at rest {:.4g} {}\n", fit.modulus, deviation_text(fit.modulus_deviation));
  for (std::size_t b = 0; b < fit.viscosity.size(); ++b)
    fmt::print("branch {}: time {:.4g} s {}, modulus {:.4g} {}\n", b, fit.viscosity[b].time,
               deviation_text(fit.deviations[b].time), fit.viscosity[b].modulus,
               deviation_text(fit.deviations[b].modulus));
  if (!(fit.modulus_deviation <= unsure))
    log::warning(
        "the modulus at rest is unsure: the curves do not reach rest; measure longer, or at lower frequencies");
}

// As in the "materials" of a scene.
nlohmann::ordered_json scene_viscosity(const ViscousFit& fit) {
  nlohmann::ordered_json branches = nlohmann::ordered_json::array();
  for (const ViscousBranch& branch : fit.viscosity)
    branches.push_back({{"time", branch.time}, {"modulus", branch.modulus}});
  return branches;
}

// The material to stdout and to the named files.
void write_results(const FitCommand& command, const nlohmann::ordered_json& material,
                   const std::vector<Chart>& charts) {
  const std::string text = material.dump(2) + "\n";
  fmt::print("{}", text);
  if (!command.out.empty()) write_file_atomically(command.out, text);
  if (!command.plot.empty()) write_file_atomically(command.plot, svg_of(charts));
}

// sinew fit viscosity: curves of relaxation or oscillation alone.
int fit_only_viscosity(const FitCommand& command) {
  for (std::size_t e = 0; e < command.files.size(); ++e)
    if (!command.files[e].empty())
      fail_input(code::usage, "fit: --{} needs a material model in place of \"{}\"",
                 experiment_name(static_cast<Experiment>(e)), only_viscosity);
  const MeasuredViscosity measured = measured_viscosity(command);
  print_viscosity(measured);
  write_results(command, {{"viscosity", scene_viscosity(measured.fit)}},
                viscous_charts(measured.fit, measured.relaxation, measured.dynamic));
  return 0;
}

// The numbers with their standard deviations. Warns of those that the curves hardly determine.
void print_numbers(const FitResult& result) {
  for (const std::string& line : number_lines(result)) fmt::print("{}\n", line);
  const std::vector<std::string> names = unsure_numbers(result);
  if (names.empty()) return;
  const auto terms = result.curves.lists.find("mu");
  const bool fewer = terms != result.curves.lists.end() && terms->second.size() > 1;
  const char* other = fewer                          ? ", or fit fewer terms with --terms"
                      : result.deviations.size() > 1 ? ", or choose a model with fewer numbers"
                                                     : "";
  log::warning("unsure by more than {} %: {}; add curves of another experiment{}", 100 * unsure, fmt::join(names, ", "),
               other);
}

int fit(const FitCommand& command) {
  for (const std::string* file : {&command.out, &command.plot})
    if (!file->empty()) require_folder_of(*file);
  if (!command.plot.empty() && command.plot == command.out)
    fail_input(code::usage, "fit: --plot and --output are both \"{}\"; give two names", command.plot);
  const bool viscous = !command.relaxation.empty() || !command.dynamic.empty();
  if (command.model == only_viscosity && !viscous)
    fail_input(code::usage, "fit: missing a measured curve; give a file with --relaxation or --dynamic");
  if (command.model == only_viscosity) return fit_only_viscosity(command);
  std::vector<Measurement> measurements;
  for (std::size_t e = 0; e < command.files.size(); ++e)
    for (const std::string& file : command.files[e])
      measurements.push_back(read_measurement(file, static_cast<Experiment>(e)));
  if (measurements.empty())
    fail_input(code::usage, "fit: missing a measured curve; give a file with --uniaxial, --biaxial or --shear");
  const FitResult result = fit_material(command.model, measurements, command.options);
  for (std::size_t k = 0; k < measurements.size(); ++k)
    fmt::print("{}\n", residual_text(measurements[k], result.rms[k]));
  fmt::print("{} after {} iterations, with Poisson's ratio {}\n", result.converged ? "converged" : "NOT CONVERGED",
             result.iterations, result.poisson);
  print_numbers(result);
  fmt::print("{}", stable_text(result));
  nlohmann::ordered_json material = scene_material(result);
  std::vector<Chart> charts{stress_chart(result, measurements)};
  if (viscous) {
    const MeasuredViscosity measured = measured_viscosity(command);
    print_viscosity(measured);
    material["viscosity"] = scene_viscosity(measured.fit);
    for (Chart& chart : viscous_charts(measured.fit, measured.relaxation, measured.dynamic))
      charts.push_back(std::move(chart));
  }
  write_results(command, material, charts);
  return result.converged ? 0 : 1;
}

// "a, b or c"
std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + names[k];
  return text;
}

}  // namespace

Action add_fit(CLI::App& app) {
  const auto command = std::make_shared<FitCommand>();
  app.add_option("MODEL", command->model, "Material model: " + one_of(fitted_models()) + "; or viscosity alone")
      ->required();
  const char* const use[] = {"Curve of tension or compression along one axis (CSV): stretch, nominal stress [Pa]",
                             "Curve of equibiaxial tension (CSV)",
                             "Curve of planar tension: a wide strip that keeps its width (CSV)"};
  for (std::size_t e = 0; e < command->files.size(); ++e)
    app.add_option(fmt::format("--{}", experiment_name(static_cast<Experiment>(e))), command->files[e], use[e])
        ->type_name("FILE.csv");
  app.add_option(
      "--poisson", command->options.poisson,
      fmt::format("Poisson's ratio, which the curves do not determine (default: {}, hyperfoam: {}; not for blatz_ko)",
                  FitOptions::default_poisson, FitOptions::default_foam_poisson));
  app.add_option("--knots", command->options.knots, "Stretches of the points of a spline, such as 0.5,1,1.5,2")
      ->delimiter(',');
  app.add_option("--terms", command->options.terms,
                 fmt::format("Number of terms of models ogden and hyperfoam (default: {})", FitOptions::default_terms));
  app.add_flag("--allow-unstable", command->options.allow_unstable,
               "Accept a material whose stress falls with strain within the measured range");
  app.add_option("--relaxation", command->relaxation,
                 "Curve of relaxation (CSV): time [s], stress or modulus at constant strain")
      ->type_name("FILE.csv");
  app.add_option("--dynamic", command->dynamic,
                 "Curve of small oscillations (CSV): frequency [Hz], storage modulus, loss modulus")
      ->type_name("FILE.csv");
  app.add_option("--branches", command->branches,
                 "Largest number of branches of the viscosity (default: one for each decade of the curves)")
      ->check(CLI::PositiveNumber);
  app.add_option("-o,--output", command->out, "Also write the material to this JSON file");
  app.add_option("--plot", command->plot, "Also draw the measured points and fitted curves to this SVG file")
      ->type_name("FILE.svg");
  return [command] { return fit(*command); };
}

}  // namespace sinew::app
