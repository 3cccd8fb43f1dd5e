// sinew fit: the parameters of a material from measured curves.
#include "sinew/material/fit.h"

#include <array>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/app/commands.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/scene/fit_materials.h"

namespace sinew::app {
namespace {

struct FitCommand {
  std::string model, out;
  std::array<std::vector<std::string>, 3> files;  // by experiment
  FitOptions options;
};

// As in the "materials" of a scene.
nlohmann::ordered_json scene_material(const FitResult& fit) {
  nlohmann::ordered_json material = {{"model", fit.model->name()}};
  material.update(fitted_parameters(fit));
  // Numbers may be rounded by hand later.
  if (!fit.curves.points.empty()) material["rest"] = "mend";
  return material;
}

int fit(const FitCommand& command) {
  if (!command.out.empty()) require_folder_of(command.out);
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
  const std::string text = scene_material(result).dump(2) + "\n";
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
  app.add_option("MODEL", command->model, "Material model: " + one_of(fitted_models()))->required();
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
  app.add_option("-o,--output", command->out, "Also write the material to this JSON file");
  return [command] { return fit(*command); };
}

}  // namespace sinew::app
