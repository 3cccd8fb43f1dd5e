#include "sinew/live/controls.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/dynamics/methods.h"
#include "sinew/live/edit_event.h"
#include "sinew/live/part_settings.h"
#include "sinew/material/registry.h"
#include "sinew/scene/complete.h"
#include "sinew/scene/material_response.h"
#include "sinew/scene/node.h"
#include "sinew/scene/read_material.h"

namespace sinew {
namespace {

constexpr double pin_over_pull = 100;

Json value_of(const LiveScalar& scalar, const System& system) {
  std::vector<double> value = scalar.get(system);
  if (std::isnan(value[0])) value[0] = iteration_budget(system.setup.solver);  // the only one that methods choose
  if (scalar.size > 1) return value;
  return scalar.whole ? Json(static_cast<std::int64_t>(value[0])) : Json(value[0]);
}

std::vector<double> scalar_numbers(const LiveScalar& scalar, const Json& value) {
  const bool vector = scalar.size > 1;
  const bool fits = vector ? value.is_array() && value.size() == scalar.size &&
                                 std::ranges::all_of(value, [](const Json& part) { return is_finite_number(part); })
                           : is_finite_number(value);
  if (!fits)
    fail_input(code::live_event, "{}: found {}, expected {}", scalar.key, found_text(value),
               vector ? "three finite numbers" : "a finite number");
  if (!vector) return {value.get<double>()};
  return value.get<std::vector<double>>();
}

// Settings of the solver that the present method does not read are not shown.
bool is_read(const LiveScalar& scalar, const System& system) {
  const std::string key = scalar.key;
  return !key.starts_with("solver.") || find_method(resolved_method(system.setup.solver)).uses(key.substr(7));
}

// Of an object of pairs of materials the default.
Json::json_pointer place_of(const LiveScalar& scalar, const Json& scene) {
  std::string path = std::string("/") + scalar.key;
  std::ranges::replace(path, '.', '/');
  const Json::json_pointer place(path);
  return scene.contains(place) && scene[place].is_object() ? place / "default" : place;
}

SliderRange slider_of(const ParameterInfo& info, double value) {
  const bool bounded = std::isfinite(info.minimum) && std::isfinite(info.maximum);
  const double inside = 1e-3 * (info.maximum - info.minimum);
  if (bounded) return {info.minimum + inside, info.maximum - inside, false};
  return value > 0 ? SliderRange{value / 1e3, value * 1e3, true} : SliderRange{value - 1, value + 1, false};
}

}  // namespace

LiveControls::LiveControls(const Json& scene, Simulation& simulation, Measurements measured)
    : simulation_(simulation), scene_(scene), measured_(std::move(measured)) {
  const System& system = simulation.system();
  const auto add = [&](const std::string& name, const Place& place) {
    const auto known = std::ranges::find(materials_, name, &std::pair<std::string, Place>::first);
    if (known != materials_.end()) materials_.erase(known);
    materials_.emplace_back(name, place);
    const Json& material = scene_[place];
    const MaterialLaw& model = find_material_law(material.at("model").get<std::string>());
    if (!model.curves().empty() || measured_.contains(name)) drawn_[name] = 1;
  };
  if (scene_.contains("materials"))
    for (const auto& [name, material] : scene_["materials"].items())
      if (std::ranges::find(system.material_names, name) != system.material_names.end())
        add(name, Place("/materials") / name);
  // A material that a body has for itself has the body's name.
  if (scene_.contains("bodies"))
    for (std::size_t b = 0; b < scene_["bodies"].size(); ++b) {
      const Json& body = scene_["bodies"][b];
      if (body.contains("material") && body["material"].is_object() && body["material"].contains("model") &&
          body["material"]["model"].is_string())
        add(body.value("name", ""), Place("/bodies") / b / "material");
    }
  start_method_ = resolved_method(system.setup.solver);
  const Json method = scene_.value(Place("/solver/method"), Json());
  if (simulation.edits().find(MethodEdit{}) && method.is_string()) start_method_ = method.get<std::string>();
  from_user_.assign(system.user_vertex_count, -1);
  for (Index i = 0; i < system.body_vertex_count(); ++i)
    if (system.vertex_to_user[i] >= 0) from_user_[system.vertex_to_user[i]] = i;
  remember_ranges(settings_now(/*at_start=*/true));
  remember_ranges(settings_now());
}

// Those of numbers that can change in this system, then those of materials.
LiveControls::Settings LiveControls::settings_now(bool at_start) const {
  const System& system = simulation_.system();
  Settings all;
  for (const LiveScalar& scalar : live_scalars()) {
    if (scalar.refusal(system)) continue;
    const Json value = value_of(scalar, system);
    std::string title = scalar.name;
    std::ranges::replace(title, '_', ' ');
    all.emplace_back(scalar.key,
                     Setting{value, scalar.unit, title, scalar.whole, scalar.slider(scalar_numbers(scalar, value))});
  }
  for (const auto& [name, place] : materials_)
    add_parameters(name, at_start ? MaterialState{scene_.at(place)} : material_now(name), all);
  for (const PartSetting& part : part_settings(system))
    all.emplace_back(part.key, Setting{part.value, part.unit, part.title, false, part.range, part.group});
  for (auto& [key, setting] : all)
    if (const auto known = ranges_.find(key); known != ranges_.end()) setting.range = known->second;
  return all;
}

// Parameters that are single numbers, and fibers.
void LiveControls::add_parameters(const std::string& name, const MaterialState& state, Settings& all) const {
  const Json& material = state.scene;
  const std::string place = "materials." + name + ".";
  const std::vector<ParameterInfo> known = find_material_law(material.at("model").get<std::string>()).parameters();
  for (const auto& [key, value] : material.items()) {
    const auto info = std::ranges::find(known, key, &ParameterInfo::name);
    if (info == known.end() || info->constant || !value.is_number() || state.arrays.contains(key)) continue;
    all.emplace_back(place + key, Setting{value.get<double>(), info->unit, info->description, false,
                                          slider_of(*info, value.get<double>())});
  }
  if (!material.contains("fiber") || state.arrays.contains("fiber")) return;
  const Json& fiber = material["fiber"];
  if (fiber["stiffness"].is_number()) {
    const double v = fiber["stiffness"].get<double>();
    all.emplace_back(
        place + "fiber.stiffness",
        Setting{v, "Pa", "stiffness of the fibers", false, {v > 0 ? v / 1e3 : 0, v > 0 ? v * 1e3 : 1, v > 0}});
  }
  if (fiber["direction"].is_array())  // its length means nothing: no slider
    all.emplace_back(place + "fiber.direction",
                     Setting{fiber["direction"], "", "direction in the rest state", false, {1, 1, false}});
}

// Sliders keep the range that they had first.
void LiveControls::remember_ranges(const Settings& settings) {
  for (const auto& [key, setting] : settings) ranges_.try_emplace(key, setting.range);
}

void LiveControls::apply(LiveEvent& event) {
  ++version_;
  switch (event.action) {
    case LiveAction::set:
      return set(event.key, event.value);
    case LiveAction::method:
      loss_ = simulation_.edit(MethodEdit{event.key});
      event.key = resolved_method(simulation_.system().setup.solver);  // what "auto" stands for
      return;
    case LiveAction::curves:
      return set_curves(event.key, event.value);
    case LiveAction::edit:
      for (const Edit& edit : edits_of_event(event, simulation_.system())) simulation_.edit(edit);
      return;
    case LiveAction::state:
      fail_input(code::script,
                 "during the recording a script has set {}, which a replay cannot do; end it before, with --steps {}",
                 event.key, event.step);
    case LiveAction::release:
      simulation_.edit(PullEdit{{event.client, event.id}, {}});
      return;
    case LiveAction::pull:
      return pull(event);
  }
}

Index LiveControls::vertex_of(Index user) const {
  if (user >= static_cast<Index>(from_user_.size()) || user < 0 || from_user_[user] < 0)
    fail_input(code::live_event, "vertex: found {}, which belongs to no body", user);
  return from_user_[user];
}

double LiveControls::pin_stiffness(Index vertex) const {
  return pin_over_pull * pull_stiffness(simulation_.system(), vertex_of(vertex));
}

void LiveControls::pull(LiveEvent& event) {
  const System& system = simulation_.system();
  const PullKey who{event.client, event.id};
  const Index vertex = vertex_of(event.vertex);
  if (!(event.stiffness > 0)) {
    const auto known = static_cast<std::size_t>(std::ranges::find(system.pulls, who) - system.pulls.begin());
    const Pull before = known < system.pulls.size() ? system.pull(known) : Pull();
    const bool stays = before.stiffness > 0 && before.vertex == vertex;
    event.stiffness = stays ? before.stiffness : pull_stiffness(system, vertex);
  }
  simulation_.edit(PullEdit{who, Pull{vertex, event.target, event.stiffness}});
}

Json LiveControls::value(const std::string& key) const {
  const Settings all = settings_now();
  const auto found = std::ranges::find(all, key, &Settings::value_type::first);
  if (found != all.end()) return found->second.value;
  std::vector<std::string> names;
  for (const auto& [name, setting] : all) names.push_back(name);
  fail_input(code::live_event, "\"{}\" is not a setting that can change{}the settings are {}", key,
             did_you_mean_then(key, names), quoted_list(names));
}

void LiveControls::set(const std::string& key, const Json& value) {
  if (is_finite_number(value))
    if (const std::vector<Edit> edits = part_edits(simulation_.system(), key, value.get<double>()); !edits.empty()) {
      simulation_.edit(edits);
      return;
    }
  if (const auto [name, rest] = material_of(key); !name.empty())
    return set_material(name, rest.empty() ? value : Json{{rest, value}});
  this->value(key);
  if (!find_live_scalar(key))
    fail_input(code::live_event, "{}: found {}, expected a finite number", key, found_text(value));
  simulation_.edit(ScalarEdit{key, scalar_numbers(*find_live_scalar(key), value)});
}

const LiveControls::Place* LiveControls::find_material(const std::string& name) const {
  const auto found = std::ranges::find(materials_, name, &std::pair<std::string, Place>::first);
  return found == materials_.end() ? nullptr : &found->second;
}

// "materials.NAME" or "materials.NAME.KEY" as name and key; the name is empty where it is something else. Names may
// hold dots: the longest one counts.
std::pair<std::string, std::string> LiveControls::material_of(const std::string& key) const {
  std::pair<std::string, std::string> found;
  for (const auto& [name, place] : materials_) {
    const std::string whole = "materials." + name;
    if (name.size() < found.first.size() || !key.starts_with(whole)) continue;
    if (key.size() == whole.size()) found = {name, ""};
    if (key.size() > whole.size() + 1 && key[whole.size()] == '.') found = {name, key.substr(whole.size() + 1)};
  }
  return found;
}

MaterialState LiveControls::material_now(const std::string& name) const {
  return edited_material(name, scene_.at(*find_material(name)), simulation_.edits());
}

// All that is named acts, or nothing.
void LiveControls::set_material(const std::string& name, const Json& changed) {
  for (const Edit& edit : material_edits(name, material_now(name), changed, simulation_.system()))
    simulation_.edit(edit);
  remember_ranges(settings_now());
  if (const auto found = drawn_.find(name); found != drawn_.end()) ++found->second;
}

void LiveControls::set_curves(const std::string& name, const Json& changed) {
  const auto has_curves = [&](const std::string& known) { return !curves(known).is_null(); };
  if (!has_curves(name)) {
    std::vector<std::string> names;
    for (const auto& [known, version] : drawn_)
      if (has_curves(known)) names.push_back(known);
    fail_input(code::live_event, "materials.{}: no material with curves{}", name,
               names.empty() ? "; the scene has none" : "; the scene has " + quoted_list(names));
  }
  simulation_.edit(curves_edit(name, material_now(name).scene, changed));
  ++drawn_.at(name);
  ++version_;
}

Json LiveControls::curves(const std::string& name) const {
  return drawn_.contains(name) ? curves_of(material_now(name).scene) : Json();
}

Json LiveControls::drawn(const std::string& name) const {
  const Json material = material_now(name).scene;
  const MaterialModel& model = find_material_model(material.at("model").get<std::string>());
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
  for (const PullKey& who : simulation_.system().pulls) {
    if (client && who.client != *client) continue;
    LiveEvent event;
    event.action = LiveAction::release;
    event.client = who.client;
    event.id = who.id;
    events.push_back(event);
  }
  return events;
}

Json LiveControls::settings() const {
  Json result = Json::object();
  for (const auto& [key, s] : settings_now()) {
    const LiveScalar* scalar = find_live_scalar(key);
    if (scalar && !is_read(*scalar, simulation_.system())) continue;
    result[key] = {{"value", s.value},   {"unit", s.unit},   {"least", s.range.least}, {"most", s.range.most},
                   {"log", s.range.log}, {"title", s.title}, {"whole", s.whole}};
    if (!s.group.empty()) result[key]["group"] = s.group;
  }
  return result;
}

// Single parameters one by one, as their sliders set them; other changes all at once.
void LiveControls::add_changes(const std::string& name, std::vector<LiveEvent>& events) const {
  const Json& start = scene_.at(*find_material(name));
  const Json now = material_now(name).all();
  const auto is_curve = [&](const std::string& key) { return is_of_curves(start, key); };
  LiveEvent event;
  event.action = LiveAction::set;
  event.value = Json::object();
  bool single = true;
  for (const auto& [key, value] : now.items()) {
    if (is_curve(key) || start.value(key, Json()) == value) continue;
    event.value[key] = value;
    single = single && value.is_number() && start.contains(key);
  }
  for (const auto& [key, value] : start.items()) {
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
  const System& system = simulation_.system();
  const Edits& edits = simulation_.edits();
  const std::string method = resolved_method(system.setup.solver);
  LiveEvent event;
  if (method != start_method_) {
    event.action = LiveAction::method;
    event.key = method;
    events.push_back(event);
  }
  event.action = LiveAction::set;
  for (const LiveScalar& scalar : live_scalars()) {
    event.key = scalar.key;
    event.value = value_of(scalar, system);
    if (edits.find(ScalarEdit{scalar.key, {}}) && scene_.value(place_of(scalar, scene_), Json()) != event.value)
      events.push_back(event);
  }
  for (const auto& [name, place] : materials_) add_changes(name, events);
  event.action = LiveAction::curves;
  for (const auto& [name, version] : drawn_) {
    event.key = name;
    event.value = curves(name);
    if (event.value != curves_of(scene_.at(*find_material(name)))) events.push_back(event);
  }
  for (const LivePull& held : pulls()) {
    LiveEvent pull;
    pull.action = LiveAction::pull;
    pull.client = held.client;
    pull.id = held.id;
    pull.vertex = held.vertex;
    pull.target = held.target;
    pull.stiffness = held.stiffness;
    events.push_back(pull);
  }
  return events;
}

Json LiveControls::completed() const {
  Json scene = scene_;
  const System& system = simulation_.system();
  const Edits& edits = simulation_.edits();
  for (const LiveScalar& scalar : live_scalars())
    if (edits.find(ScalarEdit{scalar.key, {}})) scene[place_of(scalar, scene_)] = value_of(scalar, system);
  for (const auto& [name, place] : materials_) scene[place] = material_now(name).scene;
  if (edits.find(MethodEdit{})) scene["solver"]["method"] = resolved_method(system.setup.solver);
  return scene;
}

std::vector<LivePull> LiveControls::pulls() const {
  const System& system = simulation_.system();
  std::vector<LivePull> result;
  for (std::size_t k = 0; k < system.pulls.size(); ++k) {
    const Pull pull = system.pull(k);
    result.push_back(
        {system.pulls[k].client, system.pulls[k].id, system.vertex_to_user[pull.vertex], pull.target, pull.stiffness});
  }
  return result;
}

}  // namespace sinew
