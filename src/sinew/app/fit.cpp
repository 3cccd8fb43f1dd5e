// sinew fit: the parameters of a material from measured curves.
#include "sinew/material/fit.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/app/commands.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/material/viscous_fit.h"
#include "sinew/scene/fit_materials.h"

namespace sinew::app {
namespace {

constexpr const char* only_viscosity = "viscosity";  // in place of a model

struct FitCommand {
  std::string model, out;
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

// The "viscosity" of a material; prints how sure its numbers are.
nlohmann::ordered_json fitted_viscosity(const FitCommand& command) {
  std::vector<RelaxationCurve> relaxation;
  std::vector<DynamicCurve> dynamic;
  for (const std::string& file : command.relaxation) relaxation.push_back(read_relaxation(file));
  for (const std::string& file : command.dynamic) dynamic.push_back(read_dynamic(file));
  const ViscousFit fit = fit_viscosity(relaxation, dynamic, command.branches);
  std::size_t curve = 0;
  for (const RelaxationCurve& c : relaxation)
    fmt::print("{}\n", viscous_residual_text(c.source, "relaxation", c.time, 1, "s", fit.rms[curve++]));
  constexpr double radians = 2 * 3.14159265358979323846;
  for (const DynamicCurve& c : dynamic)
    fmt::print("{}\n",
               viscous_residual_text(c.source, "oscillation", c.frequency, 1 / radians, "Hz", fit.rms[curve++]));
  fmt::print("modulus at rest {:.4g} +- {:.2g} %\n", fit.modulus, 100 * fit.modulus_deviation);
  nlohmann::ordered_json branches = nlohmann::ordered_json::array();
  for (std::size_t b = 0; b < fit.viscosity.size(); ++b) {
    fmt::print("branch {}: time {:.4g} s +- {:.2g} %, modulus {:.4g} +- {:.2g} %\n", b, fit.viscosity[b].time,
               100 * fit.deviations[b].time, fit.viscosity[b].modulus, 100 * fit.deviations[b].modulus);
    branches.push_back({{"time", fit.viscosity[b].time}, {"modulus", fit.viscosity[b].modulus}});
  }
  constexpr double unsure = 0.5;
  if (fit.modulus_deviation > unsure)
    log::warning(
        "the modulus at rest is unsure: the curves do not reach rest; measure longer, or at lower frequencies");
  return branches;
}

int fit_only_viscosity(const FitCommand& command) {
  for (std::size_t e = 0; e < command.files.size(); ++e)
    if (!command.files[e].empty())
      fail_input(code::usage, "fit: --{} needs a material model in place of \"{}\"",
                 experiment_name(static_cast<Experiment>(e)), only_viscosity);
  const std::string text = nlohmann::ordered_json{{"viscosity", fitted_viscosity(command)}}.dump(2) + "\n";
  fmt::print("{}", text);
  if (!command.out.empty()) write_file_atomically(command.out, text);
  return 0;
}

int fit(const FitCommand& command) {
  if (!command.out.empty()) require_folder_of(command.out);
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
             result.iterations, command.options.poisson);
  fmt::print("{}", stable_text(result));
  nlohmann::ordered_json material = scene_material(result);
  if (viscous) material["viscosity"] = fitted_viscosity(command);
  const std::string text = material.dump(2) + "\n";
  fmt::print("{}", text);
  if (!command.out.empty()) write_file_atomically(command.out, text);
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
  app.add_option("--poisson", command->options.poisson,
                 "Poisson's ratio; the curves do not determine it (default: 0.495)");
  app.add_option("--knots", command->options.knots, "Stretches of the points of a spline, such as 0.5,1,1.5,2")
      ->delimiter(',');
  app.add_option("--terms", command->options.terms,
                 fmt::format("Number of terms of model ogden (default: {})", FitOptions::default_terms));
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
  return [command] { return fit(*command); };
}

}  // namespace sinew::app
