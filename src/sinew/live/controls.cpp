#include "sinew/live/controls.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/dynamics/methods.h"
#include "sinew/material/mass_spring.h"
#include "sinew/material/registry.h"
#include "sinew/model/automatic_scales.h"
#include "sinew/scene/complete.h"
#include "sinew/scene/material_response.h"
#include "sinew/scene/node.h"
#include "sinew/scene/read_material.h"

namespace sinew {
namespace {

constexpr double usual_friction = 1;

const ParameterInfo* find_parameter(const MaterialLaw& model, const std::string& name,
                                    std::vector<ParameterInfo>& all) {
  all = model.parameters();
  const auto found = std::ranges::find(all, name, &ParameterInfo::name);
  return found == all.end() ? nullptr : &*found;
}

const MaterialModel& model_of(const Json& material) {
  return find_material_model(material.at("model").get<std::string>());
}

bool takes_curve(const MaterialLaw& model, const std::string& key) {
  const std::vector<CurveInfo> curves = model.curves();
  return std::ranges::find(curves, key, &CurveInfo::name) != curves.end();
}

// The curves of a material, with null for those that it does not have, and how it is at rest; null where it has none.
Json curves_of(const Json& material) {
  Json curves;
  for (const CurveInfo& info : model_of(material).curves()) curves[info.name] = material.value(info.name, Json());
  if (!curves.is_null()) curves["rest"] = material.value("rest", "exact");
  return curves;
}

bool is_finite_number(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

// One number, or an array of them, one for each tet.
std::vector<double> numbers_of(const std::string& key, const Json& value) {
  if (is_finite_number(value)) return {value.get<double>()};
  if (value.is_object() && value.contains("field"))
    fail_input(
        "{}: found {}, but no files are read while it runs; give an array with one number for each tet of the "
        "material",
        key, found_text(value));
  if (!value.is_array() || value.empty() || !std::ranges::all_of(value, is_finite_number))
    fail_input("{}: found {}, expected a finite number, or an array with one for each tet of the material", key,
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

}  // namespace

LiveControls::LiveControls(const Json& completed, Simulation& simulation, Measurements measured)
    : simulation_(simulation), completed_(completed), measured_(std::move(measured)) {
  const System& system = simulation.system();
  const Setup& setup = system.setup;
  start_method_ = resolved_method(setup.solver);
  const Vec3 g = setup.gravity;
  const double usual = std::max(g.norm(), 9.81);
  using Place = Json::json_pointer;
  add("gravity", Place("/gravity"), {g[0], g[1], g[2]}, "m/s²", -3 * usual, 3 * usual, false);
  if (setup.time.integrator != Integrator::statics)
    add("time.step", Place("/time/step"), setup.time.step, "s", setup.time.step / 10, 10 * setup.time.step, true);
  add("solver.iterations", Place("/solver/iterations"), iteration_budget(setup.solver), "", 0, 20, false);
  const bool pairs = completed.contains("contact") && completed["contact"].value("friction", Json()).is_object();
  if (setup.contact.enabled)
    add("contact.friction", Place(pairs ? "/contact/friction/default" : "/contact/friction"), setup.contact.friction,
        "", 0, usual_friction, false);
  if (completed.contains("materials"))
    for (const auto& [name, material] : completed["materials"].items())
      if (std::ranges::find(system.material_names, name) != system.material_names.end())
        add_material(name, Place("/materials") / name, material);
  // A material that a body has for itself has the body's name.
  if (completed.contains("bodies"))
    for (std::size_t b = 0; b < completed["bodies"].size(); ++b) {
      const Json& body = completed["bodies"][b];
      if (body.contains("material") && body["material"].is_object() && body["material"].contains("model") &&
          body["material"]["model"].is_string())
        add_material(body.value("name", ""), Place("/bodies") / b / "material", body["material"]);
    }
  for (const auto& [key, setting] : settings_)
    if (material_of(key).first.empty()) start_[key] = setting.value;
  from_user_.assign(system.user_vertex_count, -1);
  for (Index i = 0; i < system.dynamic_count; ++i) from_user_[system.vertex_to_user[i]] = i;
  follow(simulation.changes());
}

// A setting that was changed: at the start it had the scene's value.
void LiveControls::follow(const std::string& key, Json value) {
  const auto found = std::ranges::find(settings_, key, [](const auto& s) { return s.first; });
  if (found == settings_.end()) return;  // of another set of parameters than the scene's
  Json& place = completed_[places_.at(key)];
  start_[key] = place;
  found->second.value = value;
  place = std::move(value);
}

// What was changed before the controls came, by a checkpoint for instance.
void LiveControls::follow(const ChangeRecord& changes) {
  const System& system = simulation_.system();
  if (changes.gravity) follow("gravity", {(*changes.gravity)[0], (*changes.gravity)[1], (*changes.gravity)[2]});
  if (changes.time_step) follow("time.step", *changes.time_step);
  if (changes.iterations) follow("solver.iterations", *changes.iterations);
  if (changes.friction) follow("contact.friction", *changes.friction);
  for (const auto& [name, parameters] : changes.materials)
    if (materials_.contains(name)) keep_parameters(name, parameters);
  for (const auto& [name, fibers] : changes.fibers)
    if (materials_.contains(name)) keep_fibers(name, fibers);
  for (const auto& [name, curves] : changes.curves) {
    const auto found = drawn_.find(name);
    if (found == drawn_.end()) continue;
    Json& material = completed_[found->second.place];
    const MaterialModel& model = model_of(material);
    for (const CurveInfo& info : model.curves()) material.erase(info.name);
    for (const auto& [key, points] : model.with_curves(curves)->control_points())
      material[key] = {{"x", points.x}, {"dy", points.dy}};
    material["rest"] = curves.mend_rest ? "mend" : "exact";
  }
  if (changes.method) {
    Json& method = completed_["solver"]["method"];
    if (method.is_string()) start_method_ = method.get<std::string>();
    method = resolved_method(system.setup.solver);
  }
  // Whoever pulled: they are the script's now, numbered by their vertices, or by the next number that is free.
  for (const Pull& pull : changes.pulls.value_or(std::vector<Pull>())) {
    const Index vertex = system.vertex_to_user[pull.vertex];
    std::pair key{0, static_cast<int>(vertex)};
    while (pulls_.contains(key)) ++key.second;
    pulls_[key] = {pull, vertex};
  }
}

void LiveControls::add(const std::string& key, const Json::json_pointer& place, Json value, std::string unit,
                       double least, double most, bool log) {
  places_[key] = place;
  settings_.emplace_back(key, LiveSetting{std::move(value), std::move(unit), least, most, log});
}

void LiveControls::add_material(const std::string& name, const Json::json_pointer& place, const Json& material) {
  const MaterialLaw& model = find_material_law(material.at("model").get<std::string>());
  if (!model.curves().empty() || measured_.contains(name)) drawn_[name] = {place, curves_of(material)};
  materials_[name] = {place, material, Json::object()};
  renew_settings(name);
}

// The settings of a material, as it is now, in the place of those it had: its parameters that are single numbers, and
// its fibers. Those that stay keep the range of their sliders.
void LiveControls::renew_settings(const std::string& name) {
  const Material& own = materials_.at(name);
  const Json& material = completed_[own.place];
  const MaterialLaw& model = find_material_law(material.at("model").get<std::string>());
  const auto is_own = [&](const auto& setting) { return material_of(setting.first).first == name; };
  const auto first = std::ranges::find_if(settings_, is_own);
  const auto last = std::find_if_not(first, settings_.end(), is_own);
  const std::vector<std::pair<std::string, LiveSetting>> before(first, last), after(last, settings_.end());
  settings_.erase(first, settings_.end());
  const auto renew = [&](const std::string& key, const Json::json_pointer& place, const Json& value, const char* unit,
                         double least, double most, bool log) {
    const std::string whole = fmt::format("materials.{}.{}", name, key);
    const auto known = std::ranges::find(before, whole, [](const auto& s) { return s.first; });
    if (known == before.end()) return add(whole, place, value, unit, least, most, log);
    settings_.push_back(*known);
    settings_.back().second.value = value;
  };
  std::vector<ParameterInfo> all;
  for (const auto& [key, value] : material.items()) {
    const ParameterInfo* info = find_parameter(model, key, all);
    if (info == nullptr || info->constant || !value.is_number() || own.arrays.contains(key)) continue;
    const double v = value.get<double>();
    const bool bounded = std::isfinite(info->minimum) && std::isfinite(info->maximum);
    const bool log = !bounded && v > 0;
    const double inside = 1e-3 * (info->maximum - info->minimum);
    const double least = bounded ? info->minimum + inside : log ? v / 1e3 : v - 1;
    const double most = bounded ? info->maximum - inside : log ? v * 1e3 : v + 1;
    renew(key, own.place / key, v, info->unit.c_str(), least, most, log);
  }
  if (material.contains("fiber") && !own.arrays.contains("fiber")) {
    const Json& fiber = material["fiber"];
    if (fiber["stiffness"].is_number()) {
      const double v = fiber["stiffness"].get<double>();
      renew("fiber.stiffness", own.place / "fiber" / "stiffness", v, "Pa", v > 0 ? v / 1e3 : 0, v > 0 ? v * 1e3 : 1,
            v > 0);
    }
    if (fiber["direction"].is_array())  // its length means nothing: no slider
      renew("fiber.direction", own.place / "fiber" / "direction", fiber["direction"], "", 1, 1, false);
  }
  settings_.insert(settings_.end(), after.begin(), after.end());
}

void LiveControls::apply(LiveEvent& event) {
  ++version_;
  switch (event.action) {
    case LiveAction::set:
      return set(event.key, event.value);
    case LiveAction::method:
      loss_ = simulation_.set_method(event.key);
      event.key = resolved_method(simulation_.system().setup.solver);  // what "auto" stands for
      completed_["solver"]["method"] = event.key;
      return;
    case LiveAction::curves:
      return set_curves(event.key, event.value);
    case LiveAction::release:
      if (pulls_.erase({event.client, event.id}) > 0) pull();
      return;
    case LiveAction::pull:
      break;
  }
  if (event.vertex >= static_cast<Index>(from_user_.size()) || event.vertex < 0 || from_user_[event.vertex] < 0)
    fail_input("vertex: found {}, which is none of a body", event.vertex);
  const std::pair key{event.client, event.id};
  std::optional<Held> before;
  if (const auto known = pulls_.find(key); known != pulls_.end()) before = known->second;
  Held& held = pulls_[key];
  if (!(event.stiffness > 0)) {
    event.stiffness = held.pull.stiffness > 0 && held.user_vertex == event.vertex
                          ? held.pull.stiffness
                          : pull_stiffness(simulation_.system(), from_user_[event.vertex]);
  }
  held = {{from_user_[event.vertex], event.target, event.stiffness}, event.vertex};
  try {
    pull();
  } catch (const InputError&) {
    if (before) {
      held = *before;
    } else {
      pulls_.erase(key);
    }
    throw;
  }
}

void LiveControls::pull() {
  std::vector<Pull> all;
  for (const auto& [key, held] : pulls_) all.push_back(held.pull);
  simulation_.set_pulls(all);
}

const Json& LiveControls::value(const std::string& key) const {
  const auto found = std::ranges::find(settings_, key, [](const auto& s) { return s.first; });
  if (found != settings_.end()) return found->second.value;
  std::vector<std::string> names;
  for (const auto& [name, setting] : settings_) names.push_back(name);
  fail_input("\"{}\" is no setting that can change{}there are {}", key, did_you_mean_then(key, names),
             quoted_list(names));
}

void LiveControls::set(const std::string& key, const Json& value) {
  if (const auto [name, rest] = material_of(key); !name.empty())
    return set_material(name, rest.empty() ? value : Json{{rest, value}});
  this->value(key);
  const auto found = std::ranges::find(settings_, key, [](const auto& s) { return s.first; });
  if (key == "gravity") {
    if (!value.is_array() || value.size() != 3 || !std::ranges::all_of(value, is_finite_number))
      fail_input("gravity: found {}, expected three finite numbers", value.dump());
    simulation_.set_gravity(vector_of(value));
  } else {
    if (!is_finite_number(value)) fail_input("{}: found {}, expected a finite number", key, value.dump());
    const double number = value.get<double>();
    if (key == "time.step") {
      simulation_.set_time_step(number);
    } else if (key == "solver.iterations") {
      if (number < 0 || number > 2e9 || number != std::floor(number))
        fail_input("solver.iterations: found {}, expected a whole number, 0 for none", value.dump());
      simulation_.set_iterations(static_cast<int>(number));
    } else {
      simulation_.set_friction(number);
    }
  }
  found->second.value = value;
  completed_[places_.at(key)] = value;
}

// "materials.NAME" or "materials.NAME.KEY" as name and key; the name is empty where it is something else. Names may
// hold dots: the longest one counts.
std::pair<std::string, std::string> LiveControls::material_of(const std::string& key) const {
  std::pair<std::string, std::string> found;
  for (const auto& [name, material] : materials_) {
    const std::string whole = "materials." + name;
    if (name.size() < found.first.size() || !key.starts_with(whole)) continue;
    if (key.size() == whole.size()) found = {name, ""};
    if (key.size() > whole.size() + 1 && key[whole.size()] == '.') found = {name, key.substr(whole.size() + 1)};
  }
  return found;
}

// The material as its scene would have it, with what was set for each tet.
Json LiveControls::material_now(const Material& material) const {
  Json now = completed_.at(material.place);
  for (const auto& [key, value] : material.arrays.items()) now[key] = value;
  return now;
}

bool LiveControls::holds(const std::string& key, const Json& value) const {
  const auto [name, rest] = material_of(key);
  if (name.empty()) return this->value(key) == value;
  const Json now = material_now(materials_.at(name));
  const Json changed = rest.empty() ? value : Json{{rest, value}};
  if (!changed.is_object()) return false;
  for (const auto& [own, wanted] : changed.items()) {
    const std::size_t dot = own.find('.');
    const Json part = now.value(own.substr(0, dot), Json());
    const Json present = dot == std::string::npos ? part
                         : part.is_object()       ? part.value(own.substr(dot + 1), Json())
                                                  : Json();
    if (present != wanted) return false;
  }
  return true;
}

// Keys of a material as a scene has them, "fiber.stiffness" and "fiber.direction" too; those that are not named stay.
// Values that vary are arrays with one for each tet of the material. All of them act, or none.
void LiveControls::set_material(const std::string& name, const Json& changed) {
  Material& own = materials_.at(name);
  const Json material = completed_[own.place];
  const MaterialLaw& law = find_material_law(material.at("model").get<std::string>());
  const std::string place = "materials." + name;
  if (!changed.is_object())
    fail_input("{}: found {}, expected an object of the material's keys", place, found_text(changed));
  Json curves = Json::object(), fibers = Json::object();
  UserParameters parameters;
  std::vector<std::string> named;
  for (const auto& [key, value] : changed.items()) {
    std::vector<ParameterInfo> all;
    if (find_parameter(law, key, all) != nullptr) {
      parameters[key] = numbers_of(place + "." + key, value);
      named.push_back(key);
    } else if (takes_curve(law, key) || (key == "rest" && !law.curves().empty())) {
      curves[key] = value;
    } else if (key == "fiber" || key == "fiber.stiffness" || key == "fiber.direction") {
      fibers[key] = value;
    } else if (key == "density" || key == "model") {
      if (!material.contains(key) || material[key] != value)
        fail_input("{}.{}: found {}, but it cannot change while the simulation runs; make a new one", place, key,
                   found_text(value));
    } else {
      std::vector<std::string> known;
      for (const ParameterInfo& info : all) known.push_back(info.name);
      for (const CurveInfo& info : law.curves()) known.push_back(info.name);
      if (!law.curves().empty()) known.emplace_back("rest");
      if (law.name() != mass_spring_name) known.emplace_back("fiber");
      fail_input("{}.{}: model {} has no such key{}it has {}", place, key, law.name(), did_you_mean_then(key, known),
                 quoted_list(known));
    }
  }
  std::optional<FiberValues> next;
  if (!fibers.empty()) {
    next = changed_fibers(name, fibers);
    require_fibers(simulation_.system(), name, *next);
  }
  if (!curves.empty()) set_curves(name, curves);
  if (!named.empty()) {
    const auto fields = simulation_.system().material_fields.find(name);
    if (fields != simulation_.system().material_fields.end())
      parameters.insert(fields->second.begin(), fields->second.end());
    for (const auto& [key, value] : material.items()) {
      std::vector<ParameterInfo> all;
      if (value.is_number() && find_parameter(law, key, all) != nullptr)
        parameters.try_emplace(key, std::vector<double>{value.get<double>()});
    }
    drop_other_sets(law, named, parameters);
    simulation_.set_material(name, parameters);
    keep_parameters(name, parameters);
  }
  if (next) {
    simulation_.set_fibers(name, *next);
    keep_fibers(name, *next);
  }
  if (const auto found = drawn_.find(name); found != drawn_.end()) ++found->second.version;
}

// Fibers after a change of "fiber" (null: none), or of its parts.
FiberValues LiveControls::changed_fibers(const std::string& name, const Json& changed) const {
  const std::string place = "materials." + name + ".fiber";
  Json parts = Json::object();
  for (const auto& [key, value] : changed.items()) {
    if (key != "fiber") {
      parts[key.substr(6)] = value;
      continue;
    }
    if (value.is_null()) return {{0.0}, Vec3(Vec3::UnitX())};
    if (!value.is_object())
      fail_input("{}: found {}, expected \"stiffness\" and \"direction\", or null for no fibers", place,
                 found_text(value));
    for (const auto& [part, inner] : value.items()) {
      if (part != "stiffness" && part != "direction")
        fail_input("{}.{}: unknown key; known keys: \"stiffness\", \"direction\"", place, part);
      parts[part] = inner;
    }
  }
  FiberValues fibers;
  if (!parts.contains("stiffness") || !parts.contains("direction")) {
    fibers = fibers_of(simulation_.system(), name);
    const bool none = std::ranges::all_of(fibers.stiffness, [](double v) { return v == 0; });
    const bool known = completed_.at(materials_.at(name).place).contains("fiber");
    if (none && !known && !parts.contains("direction"))
      fail_input(
          "{}.direction: is missing, and the material has no fibers yet; give both \"stiffness\" and \"direction\"",
          place);
    if (none && !known && !parts.contains("stiffness"))
      fail_input(
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
    fibers.direction = vector_of(direction);
    return fibers;
  }
  if (!direction.is_array() || direction.empty() || !std::ranges::all_of(direction, is_vector))
    fail_input("{}.direction: found {}, expected three finite numbers, or three for each tet", place,
               found_text(direction));
  fibers.direction.resize(3, static_cast<Index>(direction.size()));
  for (std::size_t i = 0; i < direction.size(); ++i)
    fibers.direction.col(static_cast<Index>(i)) = vector_of(direction[i]);
  return fibers;
}

// In the scene, and where they vary beside it.
void LiveControls::keep_parameters(const std::string& name, const UserParameters& parameters) {
  Material& own = materials_.at(name);
  Json& material = completed_[own.place];
  const MaterialLaw& law = find_material_law(material.at("model").get<std::string>());
  for (const ParameterInfo& info : law.parameters()) {
    const auto given = parameters.find(info.name);
    if (given == parameters.end()) {
      if (!goes_with(law, info.name, parameters)) {
        material.erase(info.name);
        own.arrays.erase(info.name);
      }
    } else if (given->second.size() == 1) {
      material[info.name] = given->second[0];
      own.arrays.erase(info.name);
    } else {
      own.arrays[info.name] = given->second;
    }
  }
  renew_settings(name);
}

void LiveControls::keep_fibers(const std::string& name, const FiberValues& fibers) {
  Material& own = materials_.at(name);
  Json& material = completed_[own.place];
  own.arrays.erase("fiber");
  const bool none = std::ranges::all_of(fibers.stiffness, [](double v) { return v == 0; });
  Json directions = Json::array();
  for (Index i = 0; i < fibers.direction.cols(); ++i)
    directions.push_back({fibers.direction(0, i), fibers.direction(1, i), fibers.direction(2, i)});
  const bool constant = fibers.stiffness.size() == 1 && directions.size() == 1;
  if (constant) {
    if (none && !material.contains("fiber")) return;
    material["fiber"] = {{"stiffness", fibers.stiffness[0]}, {"direction", directions[0]}};
  } else {
    own.arrays["fiber"] = {
        {"stiffness", fibers.stiffness.size() == 1 ? Json(fibers.stiffness[0]) : Json(fibers.stiffness)},
        {"direction", directions.size() == 1 ? directions[0] : directions}};
  }
  renew_settings(name);
}

void LiveControls::set_curves(const std::string& name, const Json& changed) {
  const auto found = drawn_.find(name);
  if (found == drawn_.end() || found->second.start.is_null()) {
    std::vector<std::string> names;
    for (const auto& [known, drawn] : drawn_)
      if (!drawn.start.is_null()) names.push_back(known);
    fail_input("materials.{}: no material with curves{}", name,
               names.empty() ? "; the scene has none" : "; the scene has " + quoted_list(names));
  }
  Json material = completed_[found->second.place];
  const MaterialModel& model = model_of(material);
  const std::string place = "materials." + name;
  for (const auto& [key, value] : changed.items()) {
    if (key != "rest" && !takes_curve(model, key))
      fail_input("{}.{}: only curves of this material can change, and how it is at rest", place, key);
    if (value.is_null()) {
      material.erase(key);
    } else {
      material[key] = value;
    }
  }
  const UserCurves curves = curves_from_json(model, material, place);
  simulation_.set_material_curves(name, curves);
  // As they were mended, so that the next change starts from what there is.
  for (const auto& [key, points] : model.with_curves(curves)->control_points())
    material[key] = {{"x", points.x}, {"dy", points.dy}};
  completed_[found->second.place] = material;
  ++found->second.version;
  ++version_;
}

Json LiveControls::curves(const std::string& name) const {
  const auto found = drawn_.find(name);
  return found == drawn_.end() ? Json() : curves_of(completed_[found->second.place]);
}

std::map<std::string, long> LiveControls::drawn_versions() const {
  std::map<std::string, long> versions;
  for (const auto& [name, drawn] : drawn_) versions[name] = drawn.version;
  return versions;
}

Json LiveControls::drawn(const std::string& name) const {
  const Json& material = completed_.at(drawn_.at(name).place);
  const MaterialModel& model = model_of(material);
  Json result = {{"model", model.name()}};
  if (!model.curves().empty()) {
    result["rest"] = material.value("rest", "exact");
    result["curves"] = Json::array();
    const UserCurves curves = curves_from_json(model, material, "materials." + name);
    const auto points = model.with_curves(curves)->control_points();
    for (const CurveInfo& info : model.curves()) {
      Json curve = {{"name", info.name},
                    {"description", info.description},
                    {"required", info.required},
                    {"x", {{"unit", ""}, {"least", 0}, {"most", largest_number}}},
                    {"dy", {{"unit", "Pa"}, {"least", -largest_number}, {"most", largest_number}}}};
      const auto known = points.find(info.name);
      if (known != points.end()) {
        curve["x"]["values"] = known->second.x;
        curve["dy"]["values"] = known->second.dy;
      }
      result["curves"].push_back(curve);
    }
  }
  const auto measured = measured_.find(name);
  Json response =
      material_response(material, measured == measured_.end() ? std::vector<Measurement>() : measured->second);
  result["response"] = response.is_null() ? Json::array() : std::move(response["response"]);
  result["measured"] = response.is_null() ? Json::array() : std::move(response["measured"]);
  return result;
}

std::vector<LiveEvent> LiveControls::releases(std::optional<int> client) const {
  std::vector<LiveEvent> events;
  for (const auto& [key, held] : pulls_) {
    if (client && key.first != *client) continue;
    LiveEvent event;
    event.action = LiveAction::release;
    std::tie(event.client, event.id) = key;
    events.push_back(event);
  }
  return events;
}

Json LiveControls::settings() const {
  Json result = Json::object();
  for (const auto& [key, s] : settings_) {
    if (key == "solver.iterations" &&
        !find_method(resolved_method(simulation_.system().setup.solver)).uses("iterations"))
      continue;
    result[key] = {{"value", s.value}, {"unit", s.unit}, {"least", s.least}, {"most", s.most}, {"log", s.log}};
  }
  return result;
}

// Single parameters one by one, as their sliders set them; other changes all at once.
void LiveControls::add_changes(const std::string& name, const Material& material,
                               std::vector<LiveEvent>& events) const {
  const MaterialLaw& law = find_material_law(material.start.at("model").get<std::string>());
  const Json now = material_now(material);
  const auto is_curve = [&](const std::string& key) { return takes_curve(law, key) || key == "rest"; };
  LiveEvent event;
  event.action = LiveAction::set;
  event.value = Json::object();
  bool single = true;
  for (const auto& [key, value] : now.items()) {
    if (is_curve(key) || material.start.value(key, Json()) == value) continue;
    event.value[key] = value;
    single = single && value.is_number() && material.start.contains(key);
  }
  for (const auto& [key, value] : material.start.items()) {
    if (is_curve(key) || now.contains(key)) continue;
    if (key == "fiber") event.value[key] = nullptr;
    single = false;
  }
  if (event.value.empty()) return;
  const std::string place = "materials." + name;
  if (!single) {
    event.key = place;
    events.push_back(event);
    return;
  }
  const Json changed = event.value;
  for (const auto& [key, value] : changed.items()) {
    event.key = place + "." + key;
    event.value = value;
    events.push_back(event);
  }
}

std::vector<LiveEvent> LiveControls::all() const {
  std::vector<LiveEvent> events;
  const std::string method = resolved_method(simulation_.system().setup.solver);
  LiveEvent event;
  if (method != start_method_) {
    event.action = LiveAction::method;
    event.key = method;
    events.push_back(event);
  }
  event.action = LiveAction::set;
  for (const auto& [key, s] : settings_) {
    if (!material_of(key).first.empty() || start_.at(key) == s.value) continue;
    event.key = key;
    event.value = s.value;
    events.push_back(event);
  }
  for (const auto& [name, material] : materials_) add_changes(name, material, events);
  event.action = LiveAction::curves;
  for (const auto& [name, drawn] : drawn_) {
    if (drawn.start.is_null() || drawn.start == curves_of(completed_[drawn.place])) continue;
    event.key = name;
    event.value = curves_of(completed_[drawn.place]);
    events.push_back(event);
  }
  for (const auto& [key, held] : pulls_) {
    LiveEvent pull;
    pull.action = LiveAction::pull;
    std::tie(pull.client, pull.id) = key;
    pull.vertex = held.user_vertex;
    pull.target = held.pull.target;
    pull.stiffness = held.pull.stiffness;
    events.push_back(pull);
  }
  return events;
}

Json LiveControls::completed() const {
  return completed_;
}

std::vector<LivePull> LiveControls::pulls() const {
  std::vector<LivePull> result;
  for (const auto& [key, held] : pulls_) result.push_back({key.first, key.second, held.user_vertex, held.pull.target});
  return result;
}

}  // namespace sinew
