#include "sinew/scene/material_response.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/material/registry.h"
#include "sinew/scene/read_material.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr int response_points = 97;
constexpr std::size_t most_listed_points = 400;  // of a measurement
constexpr double least_span = 1.1;               // stretches up to this and its inverse are shown at least
constexpr std::array experiments{Experiment::uniaxial, Experiment::biaxial, Experiment::shear};

struct Interval {
  double low = 1, high = 1;
};

// A model with the values that it needs; no model where some of them vary over the tets.
struct Evaluated {
  SharedModel model;
  std::vector<double> kernel;

  explicit Evaluated(const Json& material) {
    SharedModel entry = shared_material_model(material.at("model").get<std::string>());
    if (entry->needs_data()) entry = entry->with_curves(curves_from_json(*entry, material, "material"));
    UserParameters user;
    for (const ParameterInfo& info : entry->parameters()) {
      if (!material.contains(info.name)) continue;
      if (!material[info.name].is_number()) return;
      user[info.name] = {material[info.name].get<double>()};
    }
    for (const auto& values : entry->resolve(user)) kernel.push_back(values[0]);
    model = entry;
  }

  std::vector<double> stress(Experiment experiment, const std::vector<double>& stretch) const {
    return nominal_stress(*model, kernel, experiment, stretch);
  }
};

// The stretches of an experiment that were measured; else those whose faces all stay where curve a has points.
Interval shown_stretches(Experiment experiment, const MaterialModel& model, const std::vector<Measurement>& measured) {
  Interval shown{1 / least_span, least_span};
  const auto points = model.control_points();
  if (const auto a = points.find("a"); measured.empty() && a != points.end()) {
    const double first = a->second.x.front(), last = a->second.x.back();
    // The free face has l^-p.
    const double p = experiment == Experiment::uniaxial ? 0.5 : experiment == Experiment::biaxial ? 2 : 1;
    shown.low = std::min(shown.low, std::max(first, std::pow(last, -1 / p)));
    shown.high = std::max(shown.high, std::min(last, std::pow(first, -1 / p)));
  }
  for (const Measurement& m : measured) {
    if (m.experiment != experiment) continue;
    const auto [low, high] = std::ranges::minmax(m.stretch);
    shown = {std::min(shown.low, low), std::max(shown.high, high)};
  }
  return shown;
}

// As many digits as a picture needs.
double rounded_value(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 5);
  return std::round(value / unit) * unit;
}

std::vector<double> some_of(const std::vector<double>& values) {
  const std::size_t every = (values.size() + most_listed_points - 1) / most_listed_points;
  std::vector<double> some;
  for (std::size_t i = 0; i < values.size(); i += every) some.push_back(values[i]);
  return some;
}

double rms_of(const std::vector<double>& stress, const std::vector<double>& wanted) {
  double square = 0;
  for (std::size_t i = 0; i < stress.size(); ++i) square += std::pow(stress[i] - wanted[i], 2);
  return std::sqrt(square / static_cast<double>(stress.size()));
}

}  // namespace

Json material_response(const Json& material, const std::vector<Measurement>& measured) {
  const Evaluated evaluated(material);
  if (!evaluated.model || (measured.empty() && evaluated.model->data().empty())) return {};
  Json result = {{"model", evaluated.model->name()}, {"response", Json::array()}, {"measured", Json::array()}};
  const std::vector<StableRange> stable = stable_ranges(*evaluated.model, evaluated.kernel);
  for (const Experiment experiment : experiments) {
    if (!measured.empty() && std::ranges::find(measured, experiment, &Measurement::experiment) == measured.end())
      continue;
    const Interval shown = shown_stretches(experiment, *evaluated.model, measured);
    std::vector<double> stretch;
    for (int i = 0; i < response_points; ++i)
      stretch.push_back(rounded_value(shown.low * std::pow(shown.high / shown.low, i / (response_points - 1.0))));
    std::vector<double> stress = evaluated.stress(experiment, stretch);
    for (double& p : stress) p = rounded_value(p);
    const StableRange& range = *std::ranges::find(stable, experiment, &StableRange::experiment);
    result["response"].push_back({{"experiment", experiment_name(experiment)},
                                  {"stretch", stretch},
                                  {"stress", stress},
                                  {"stable", {rounded_value(range.low), rounded_value(range.high)}}});
  }
  for (const Measurement& m : measured)
    result["measured"].push_back({{"experiment", experiment_name(m.experiment)},
                                  {"source", m.source},
                                  {"points", m.stretch.size()},
                                  {"stretch", some_of(m.stretch)},
                                  {"stress", some_of(m.stress)},
                                  {"rms", rms_of(evaluated.stress(m.experiment, m.stretch), m.stress)}});
  return result;
}

Json measured_responses(const Json& scene, const Measurements& measured) {
  Json result = Json::object();
  const auto add = [&](const std::string& name, const Json& material) {
    if (material.is_object() && measured.contains(name)) result[name] = material_response(material, measured.at(name));
  };
  for (const auto& [name, material] : scene["materials"].items()) add(name, material);
  for (const Json& body : scene["bodies"]) add(body["name"], body["material"]);
  return result;
}

}  // namespace sinew
