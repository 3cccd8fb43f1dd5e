#include "sinew/live/controls.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/dynamics/methods.h"
#include "sinew/material/registry.h"
#include "sinew/model/automatic_scales.h"
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

bool takes_curve(const MaterialModel& model, const std::string& key) {
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
  for (const auto& [key, setting] : settings_) start_[key] = setting.value;
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
    for (const auto& [key, value] : parameters) follow(fmt::format("materials.{}.{}", name, key), value[0]);
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
    method = *changes.method;
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

// Of parameters that are single numbers; those that vary over the tets stay what they are, with their material.
void LiveControls::add_material(const std::string& name, const Json::json_pointer& place, const Json& material) {
  const MaterialLaw& model = find_material_law(material.at("model").get<std::string>());
  if (!model.curves().empty() || measured_.contains(name)) drawn_[name] = {place, curves_of(material)};
  std::vector<ParameterInfo> all;
  for (const auto& [key, value] : material.items())
    if (find_parameter(model, key, all) != nullptr && !value.is_number()) return;
  for (const auto& [key, value] : material.items()) {
    const ParameterInfo* info = find_parameter(model, key, all);
    if (info == nullptr || info->constant) continue;
    const double v = value.get<double>();
    const bool bounded = std::isfinite(info->minimum) && std::isfinite(info->maximum);
    const bool log = !bounded && v > 0;
    const double inside = 1e-3 * (info->maximum - info->minimum);
    const double least = bounded ? info->minimum + inside : log ? v / 1e3 : v - 1;
    const double most = bounded ? info->maximum - inside : log ? v * 1e3 : v + 1;
    add(fmt::format("materials.{}.{}", name, key), place / key, v, info->unit, least, most, log);
  }
}

void LiveControls::apply(LiveEvent& event) {
  ++version_;
  switch (event.action) {
    case LiveAction::set:
      return set(event.key, event.value);
    case LiveAction::method:
      loss_ = simulation_.set_method(event.key);
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
  const auto before = pulls_;
  if (!pulls_.contains(key) && pulls_.size() >= most_pulls)
    fail_input("pull: {} places are pulled at already; let go of one", pulls_.size());
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
    pulls_ = before;
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
  this->value(key);
  const auto found = std::ranges::find(settings_, key, [](const auto& s) { return s.first; });
  const auto is_number = [](const Json& v) { return v.is_number() && std::isfinite(v.get<double>()); };
  if (key == "gravity") {
    if (!value.is_array() || value.size() != 3 || !std::ranges::all_of(value, is_number))
      fail_input("gravity: found {}, expected three finite numbers", value.dump());
    simulation_.set_gravity(vector_of(value));
  } else {
    if (!is_number(value)) fail_input("{}: found {}, expected a finite number", key, value.dump());
    const double number = value.get<double>();
    if (key == "time.step") {
      simulation_.set_time_step(number);
    } else if (key == "solver.iterations") {
      if (number < 0 || number > 2e9 || number != std::floor(number))
        fail_input("solver.iterations: found {}, expected a whole number, 0 for none", value.dump());
      simulation_.set_iterations(static_cast<int>(number));
    } else if (key == "contact.friction") {
      simulation_.set_friction(number);
    } else {
      set_material(key, number);
    }
  }
  found->second.value = value;
  completed_[places_.at(key)] = value;
}

void LiveControls::set_material(const std::string& key, double value) {
  const std::size_t last = key.rfind('.');
  const std::string prefix = key.substr(0, last + 1), name = key.substr(10, last - 10);
  UserParameters parameters;
  for (const auto& [other, setting] : settings_)
    if (other.starts_with(prefix) && other.find('.', prefix.size()) == std::string::npos)
      parameters[other.substr(prefix.size())] = {other == key ? value : setting.value.get<double>()};
  simulation_.set_material(name, parameters);
  if (const auto found = drawn_.find(name); found != drawn_.end()) ++found->second.version;
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
    if (start_.at(key) == s.value) continue;
    event.key = key;
    event.value = s.value;
    events.push_back(event);
  }
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
