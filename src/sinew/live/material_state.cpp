#include "sinew/live/material_state.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/material/mass_spring.h"
#include "sinew/material/registry.h"
#include "sinew/scene/complete.h"
#include "sinew/scene/node.h"
#include "sinew/scene/read_material.h"

namespace sinew {
namespace {

const ParameterInfo* find_parameter(const MaterialLaw& model, const std::string& name,
                                    std::vector<ParameterInfo>& all) {
  all = model.parameters();
  const auto found = std::ranges::find(all, name, &ParameterInfo::name);
  return found == all.end() ? nullptr : &*found;
}

const MaterialLaw& law_of(const Json& material) {
  return find_material_law(material.at("model").get<std::string>());
}

const MaterialModel& model_of(const Json& material) {
  return find_material_model(material.at("model").get<std::string>());
}

bool takes_curve(const MaterialLaw& model, const std::string& key) {
  const std::vector<CurveInfo> curves = model.curves();
  return std::ranges::find(curves, key, &CurveInfo::name) != curves.end();
}

// Keys that cannot change during a run.
bool is_fixed(const std::string& key) {
  constexpr std::string_view keys[] = {"model",          "density",   "expansion",    "families",  "initial_strain",
                                       "initial_stress", "viscosity", "viscosity_of", "plasticity"};
  return std::ranges::find(keys, key) != std::end(keys);
}

bool takes_list(const MaterialLaw& model, const std::string& key) {
  const std::vector<ParameterInfo> lists = model.lists();
  return std::ranges::find(lists, key, &ParameterInfo::name) != lists.end();
}

// One number, or an array of them, one for each tet.
std::vector<double> numbers_of(const std::string& key, const Json& value) {
  if (is_finite_number(value)) return {value.get<double>()};
  if (value.is_object() && value.contains("field"))
    fail_input(
        code::live_event,
        "{}: found {}, but no files are read during a run; give an array with one number for each tet of the material",
        key, found_text(value));
  if (!value.is_array() || value.empty() || !std::ranges::all_of(value, is_finite_number))
    fail_input(code::live_event,
               "{}: found {}, expected a finite number, or an array with one for each tet of the material", key,
               found_text(value));
  std::vector<double> numbers;
  for (const Json& number : value) numbers.push_back(number.get<double>());
  return numbers;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Whether one set of the model's parameters has a parameter and those that are given.
bool goes_with(const MaterialLaw& law, const std::string& name, const UserParameters& given) {
  return std::ranges::any_of(law.parameter_sets(), [&](const std::vector<std::string>& set) {
    return has(set, name) && std::ranges::all_of(given, [&](const auto& own) { return has(set, own.first); });
  });
}

// Parameters that are named may be of another set than those before, e.g. lambda and mu: then these go. Where no set is
// complete all stay, and the model says so.
void drop_other_sets(const MaterialLaw& law, const std::vector<std::string>& named, UserParameters& parameters) {
  std::vector<std::string> best;
  for (const std::vector<std::string>& set : law.parameter_sets()) {
    const bool complete = std::ranges::all_of(set, [&](const auto& name) { return parameters.contains(name); });
    const bool fits = std::ranges::all_of(named, [&](const auto& name) { return has(set, name); });
    if (complete && fits && set.size() > best.size()) best = set;
  }
  if (!best.empty()) std::erase_if(parameters, [&](const auto& own) { return !has(best, own.first); });
}

Vec3 vector_of(const Json& value) {
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

bool has_no_fibers(const FiberValues& fibers) {
  return std::ranges::all_of(fibers.stiffness, [](double value) { return value == 0; });
}

void put(const UserCurves& curves, Json& material) {
  const MaterialModel& model = model_of(material);
  const std::map<std::string, ControlPoints> mended = model.with_curves(curves)->control_points();
  for (const CurveInfo& info : model.curves()) {
    const auto points = mended.find(info.name);
    if (points == mended.end()) {
      material.erase(info.name);
    } else {
      material[info.name] = {{"x", points->second.x}, {"dy", points->second.dy}};
    }
  }
  material["rest"] = curves.mend_rest ? "mend" : "exact";
}

// In the scene, and where they vary beside it.
void put(const UserParameters& parameters, MaterialState& state) {
  const MaterialLaw& law = law_of(state.scene);
  for (const ParameterInfo& info : law.parameters()) {
    const auto given = parameters.find(info.name);
    if (given == parameters.end()) {
      if (!goes_with(law, info.name, parameters)) state.scene.erase(info.name);
    } else if (given->second.size() == 1) {
      state.scene[info.name] = given->second[0];
    } else {
      state.arrays[info.name] = given->second;
    }
  }
}

void put(const FiberValues& fibers, MaterialState& state) {
  Json directions = Json::array();
  for (Index i = 0; i < fibers.direction.cols(); ++i)
    directions.push_back({fibers.direction(0, i), fibers.direction(1, i), fibers.direction(2, i)});
  if (fibers.stiffness.size() == 1 && directions.size() == 1) {
    if (has_no_fibers(fibers) && !state.scene.contains("fiber")) return;
    Json& fiber = state.scene["fiber"];  // which may have an active tension too
    fiber["stiffness"] = fibers.stiffness[0];
    fiber["direction"] = directions[0];
    return;
  }
  state.arrays["fiber"] = {
      {"stiffness", fibers.stiffness.size() == 1 ? Json(fibers.stiffness[0]) : Json(fibers.stiffness)},
      {"direction", directions.size() == 1 ? directions[0] : directions}};
}

// Fibers after a change of "fiber" (null: none), or of its parts.
FiberValues changed_fibers(const std::string& name, const MaterialState& now, const Json& changed,
                           const System& system) {
  const std::string place = "materials." + name + ".fiber";
  Json parts = Json::object();
  for (const auto& [key, value] : changed.items()) {
    if (key != "fiber") {
      parts[key.substr(6)] = value;
      continue;
    }
    if (value.is_null()) return {{0.0}, Vec3(Vec3::UnitX())};
    if (!value.is_object())
      fail_input(code::live_event, "{}: found {}, expected \"stiffness\" and \"direction\", or null for no fibers",
                 place, found_text(value));
    for (const auto& [part, inner] : value.items()) {
      if (part != "stiffness" && part != "direction")
        fail_input(code::live_event, "{}.{}: unknown key; known keys: \"stiffness\", \"direction\"", place, part);
      parts[part] = inner;
    }
  }
  FiberValues fibers;
  if (!parts.contains("stiffness") || !parts.contains("direction")) {
    fibers = fibers_of(system, name);
    const bool none = has_no_fibers(fibers);
    const bool known = now.scene.contains("fiber");
    if (none && !known && !parts.contains("direction"))
      fail_input(
          code::live_event,
          "{}.direction: is missing, and the material has no fibers yet; give both \"stiffness\" and \"direction\"",
          place);
    if (none && !known && !parts.contains("stiffness"))
      fail_input(
          code::live_event,
          "{}.stiffness: is missing, and the material has no fibers yet; give both \"stiffness\" and \"direction\"",
          place);
  }
  if (parts.contains("stiffness")) fibers.stiffness = numbers_of(place + ".stiffness", parts["stiffness"]);
  if (!parts.contains("direction")) return fibers;
  const Json& direction = parts["direction"];
  const auto is_vector = [](const Json& v) {
    return v.is_array() && v.size() == 3 && std::ranges::all_of(v, is_finite_number);
  };
  if (is_vector(direction)) {
    fibers.direction.resize(3, 1);
    fibers.direction.col(0) = vector_of(direction);
    return fibers;
  }
  if (!direction.is_array() || direction.empty() || !std::ranges::all_of(direction, is_vector))
    fail_input(code::live_event, "{}.direction: found {}, expected three finite numbers, or three for each tet", place,
               found_text(direction));
  fibers.direction.resize(3, static_cast<Index>(direction.size()));
  for (std::size_t i = 0; i < direction.size(); ++i)
    fibers.direction.col(static_cast<Index>(i)) = vector_of(direction[i]);
  return fibers;
}

// Parameters of which some are named: the others as they are.
MaterialEdit parameter_edit(const std::string& name, const MaterialState& now, UserParameters parameters,
                            const System& system) {
  const MaterialLaw& law = law_of(now.scene);
  std::vector<std::string> named;
  for (const auto& [key, values] : parameters) named.push_back(key);
  if (const auto fields = system.material_fields.find(name); fields != system.material_fields.end())
    parameters.insert(fields->second.begin(), fields->second.end());
  for (const auto& [key, value] : now.scene.items()) {
    std::vector<ParameterInfo> all;
    if (value.is_number() && find_parameter(law, key, all) != nullptr)
      parameters.try_emplace(key, std::vector<double>{value.get<double>()});
  }
  drop_other_sets(law, named, parameters);
  return {name, std::move(parameters)};
}

}  // namespace

Json MaterialState::all() const {
  Json now = scene;
  for (const auto& [key, value] : arrays.items()) now[key] = value;
  return now;
}

MaterialState edited_material(const std::string& name, const Json& start, const Edits& edits) {
  MaterialState state{start};
  if (const auto* edit = edits.find(CurvesEdit{name, {}})) put(edit->curves, state.scene);
  if (const auto* edit = edits.find(MaterialEdit{name, {}})) put(edit->parameters, state);
  if (const auto* edit = edits.find(FiberEdit{name, {}})) put(edit->fibers, state);
  return state;
}

std::vector<Edit> material_edits(const std::string& name, const MaterialState& now, const Json& changed,
                                 const System& system) {
  const Json& material = now.scene;
  const MaterialLaw& law = law_of(material);
  const std::string place = "materials." + name;
  if (!changed.is_object())
    fail_input(code::live_event, "{}: found {}, expected an object of the material's keys", place, found_text(changed));
  Json curves = Json::object(), fibers = Json::object();
  UserParameters parameters;
  for (const auto& [key, value] : changed.items()) {
    std::vector<ParameterInfo> all;
    if (find_parameter(law, key, all) != nullptr) {
      parameters[key] = numbers_of(place + "." + key, value);
    } else if (takes_curve(law, key) || (key == "rest" && !law.curves().empty())) {
      curves[key] = value;
    } else if (key == "fiber" || key == "fiber.stiffness" || key == "fiber.direction") {
      fibers[key] = value;
    } else if (is_fixed(key) || takes_list(law, key)) {
      if (!material.contains(key) || !(material[key] == value))  // != is false for NaN
        fail_input(code::live_event,
                   "{}.{}: found {}, but this key cannot change while the simulation runs; start a new simulation",
                   place, key, found_text(value));
    } else {
      std::vector<std::string> known;
      for (const ParameterInfo& info : all) known.push_back(info.name);
      for (const CurveInfo& info : law.curves()) known.push_back(info.name);
      if (!law.curves().empty()) known.emplace_back("rest");
      if (law.name() != mass_spring_name) known.emplace_back("fiber");
      fail_input(code::live_event, "{}.{}: model {} has no such key{}its keys are {}", place, key, law.name(),
                 did_you_mean_then(key, known), quoted_list(known));
    }
  }
  std::vector<Edit> edits;
  if (!curves.empty()) edits.emplace_back(curves_edit(name, material, curves));
  if (!parameters.empty()) edits.emplace_back(parameter_edit(name, now, std::move(parameters), system));
  if (!fibers.empty()) {
    const FiberEdit edit{name, changed_fibers(name, now, fibers, system)};
    require_fibers(system, name, edit.fibers);
    edits.emplace_back(edit);
  }
  return edits;
}

CurvesEdit curves_edit(const std::string& name, const Json& now, const Json& changed) {
  Json material = now;
  const MaterialModel& model = model_of(material);
  const std::string place = "materials." + name;
  for (const auto& [key, value] : changed.items()) {
    if (!is_of_curves(material, key))
      fail_input(code::live_event, "{}.{}: only the curves and \"rest\" of this material can change", place, key);
    if (value.is_null()) {
      material.erase(key);
    } else {
      material[key] = value;
    }
  }
  return {name, curves_from_json(model, material, place)};
}

Json curves_of(const Json& material) {
  Json curves;
  for (const CurveInfo& info : model_of(material).curves()) curves[info.name] = material.value(info.name, Json());
  if (!curves.is_null()) curves["rest"] = material.value("rest", "exact");
  return curves;
}

bool is_of_curves(const Json& material, const std::string& key) {
  return key == "rest" || takes_curve(law_of(material), key);
}

bool is_finite_number(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

}  // namespace sinew
