#include "sinew/scene/fit_materials.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/material/confidence.h"
#include "sinew/scene/node.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Experiment experiment_of(const Node& node) {
  for (const Experiment e : {Experiment::biaxial, Experiment::shear})
    if (node.text() == experiment_name(e)) return e;
  return Experiment::uniaxial;
}

Measurement read_one(const Node& node, const std::filesystem::path& base_dir) {
  const Node file = node["file"];
  try {
    return read_measurement((base_dir / file.text()).string(), experiment_of(node["experiment"]));
  } catch (const InputError& error) {
    file.fail(error.code(), "{}", error.what());
  }
}

MaterialFit fitted(const std::string& name, const Node& material, const std::filesystem::path& base_dir) {
  const Node data = material["from_data"];
  MaterialFit fit;
  fit.material = name;
  fit.place = data.path();
  if (data.has("measurements")) {
    const Node list = data["measurements"];
    for (std::size_t k = 0; k < list.size(); ++k) fit.measurements.push_back(read_one(list[k], base_dir));
  } else {
    fit.measurements.push_back(read_one(data, base_dir));
  }
  if (data.has("poisson")) fit.options.poisson = data["poisson"].number();
  fit.options.allow_unstable = data["allow_unstable"].flag();
  if (data.has("knots"))
    for (std::size_t k = 0; k < data["knots"].size(); ++k) fit.options.knots.push_back(data["knots"][k].number());
  if (data.has("terms")) fit.options.terms = data["terms"].integer();
  try {
    fit.result = fit_material(material["model"].text(), fit.measurements, fit.options);
  } catch (const InputError& error) {
    data.fail(error.code(), "{}", error.what());
  }
  return fit;
}

}  // namespace

std::vector<MaterialFit> fit_materials(Json& scene, const std::filesystem::path& base_dir, const std::string& source) {
  std::vector<MaterialFit> fits;
  const auto look_at = [&](const std::string& name, Json& material, const std::string& path) {
    if (!material.is_object() || !material.contains("from_data")) return;
    fits.push_back(fitted(name, Node(material, path, source), base_dir));
    material.erase("from_data");
    material.update(fitted_parameters(fits.back().result));
  };
  for (auto& [name, material] : scene["materials"].items()) look_at(name, material, key_path("materials", name));
  for (std::size_t b = 0; b < scene["bodies"].size(); ++b) {
    Json& body = scene["bodies"][b];
    look_at(body["name"], body["material"], item_path("bodies", b) + ".material");
  }
  return fits;
}

Measurements measurements_of(const std::vector<MaterialFit>& fits) {
  Measurements result;
  for (const MaterialFit& fit : fits) result[fit.material] = fit.measurements;
  return result;
}

Json fitted_parameters(const FitResult& fit) {
  Json result = Json::object();
  for (const auto& [name, values] : fit.parameters) result[name] = values.at(0);
  for (const auto& [name, points] : fit.curves.points) result[name] = {{"x", points.x}, {"dy", points.dy}};
  for (const auto& [name, values] : fit.curves.lists) result[name] = values;
  return result;
}

std::vector<std::string> number_lines(const FitResult& fit) {
  const auto number = [&](const ParameterInfo& info, double value, std::size_t k) {
    const std::string unit = info.unit.empty() ? "" : " " + info.unit;
    return fmt::format("{} {:.6g}{} {}", info.name, value, unit,
                       deviation_text(fit.deviations.at(info.name)[k] / std::abs(value)));
  };
  std::vector<std::string> lines;
  const auto add = [&](std::size_t line, const std::string& text) {
    if (line == lines.size()) lines.emplace_back();
    lines[line] += (lines[line].empty() ? "" : ", ") + text;
  };
  for (const ParameterInfo& info : fit.model->parameters())
    if (fit.parameters.contains(info.name) && fit.deviations.contains(info.name))
      add(0, number(info, fit.parameters.at(info.name)[0], 0));
  for (const ParameterInfo& info : fit.model->lists()) {
    if (!fit.deviations.contains(info.name)) continue;
    const std::vector<double>& values = fit.curves.lists.at(info.name);
    for (std::size_t k = 0; k < values.size(); ++k)
      add(k, (k == lines.size() ? fmt::format("term {}: ", k) : "") + number(info, values[k], k));
  }
  return lines;
}

std::vector<std::string> unsure_numbers(const FitResult& fit) {
  // A stiffness that is known to be nearly none is sure.
  const double nearly_none = 0.01 * fit.model->linearized(kernel_of(fit).data()).mu;
  std::vector<std::string> names;
  const auto add = [&](const ParameterInfo& info, const std::vector<double>& values, bool list) {
    const auto found = fit.deviations.find(info.name);
    if (found == fit.deviations.end()) return;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double most = std::max(unsure * std::abs(values[k]), info.unit == "Pa" ? nearly_none : 0);
      if (found->second[k] <= most && most > 0) continue;
      names.push_back(list ? fmt::format("{}[{}]", info.name, k) : info.name);
    }
  };
  for (const ParameterInfo& info : fit.model->parameters())
    if (fit.parameters.contains(info.name)) add(info, fit.parameters.at(info.name), false);
  for (const ParameterInfo& info : fit.model->lists())
    if (fit.curves.lists.contains(info.name)) add(info, fit.curves.lists.at(info.name), true);
  return names;
}

std::string stable_text(const FitResult& fit) {
  std::string text;
  for (const StableRange& range : fit.stable)
    text += fmt::format("{}{} {:.3g} to {:.3g}", text.empty() ? "" : ", ", experiment_name(range.experiment), range.low,
                        range.high);
  return fmt::format("stable (Drucker: stress rises with strain) at stretches: {}; looked at: {:.3g} to {:.3g}\n", text,
                     1 / most_stretch, most_stretch);
}

std::string residual_text(const Measurement& m, double rms) {
  const auto [low, high] = std::ranges::minmax(m.stretch);
  return fmt::format(
      "{}: {}, {} points, stretch {:.4g} to {:.4g}: residual {:.3g} Pa (root mean square), {:.2g} % of the largest "
      "stress",
      m.source, experiment_name(m.experiment), m.stretch.size(), low, high, rms, 100 * rms / largest_stress(m));
}

}  // namespace sinew
