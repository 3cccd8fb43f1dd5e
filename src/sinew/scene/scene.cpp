#include "sinew/scene/scene.h"

#include <algorithm>
#include <map>
#include <set>

#include "sinew/core/log.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/dynamics/interference_start.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/dynamics/methods.h"
#include "sinew/mesh/surface.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/scene/interference.h"
#include "sinew/scene/json_file.h"
#include "sinew/scene/paper_settings.h"
#include "sinew/scene/read_body.h"
#include "sinew/scene/read_motion.h"
#include "sinew/scene/read_sensors.h"
#include "sinew/scene/read_solver.h"
#include "sinew/scene/schema.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// ---- defaults that depend on other keys

void complete_names(Json& items, const char* prefix, const std::string& path, const std::string& source,
                    std::map<std::string, std::string>& seen) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string where = item_path(path, i);
    if (!items[i].contains("name")) items[i]["name"] = fmt::format("{}{}", prefix, i);
    const std::string name = items[i]["name"];
    const auto [entry, added] = seen.emplace(name, where);
    if (!added) {
      fail_input(code::scene_name, "{}: {}.name: \"{}\" is the name of {} too; give every body and obstacle its own",
                 source, where, name, entry->second);
    }
  }
}

// A body without a material takes the only one of the scene; a scene without materials gets one.
void complete_materials(Json& scene, const std::string& source) {
  Json& materials = scene["materials"];
  for (std::size_t b = 0; b < scene["bodies"].size(); ++b) {
    Json& body = scene["bodies"][b];
    if (body.contains("material")) continue;
    if (materials.empty()) {
      const Json schema = {{"type", "object"},
                           {"properties", Json{{"materials", scene_schema()["properties"]["materials"]}}},
                           {"definitions", scene_schema()["definitions"]}};
      materials = complete({{"materials", {{"default", nlohmann::json::object()}}}}, schema, source)["materials"];
    }
    if (materials.size() > 1) {
      std::vector<std::string> names;
      for (const auto& [name, value] : materials.items()) names.push_back(name);
      fail_input(code::scene_missing,
                 "{}: bodies[{}]: missing key \"material\", expected one of the scene's materials: {}", source, b,
                 quoted_list(names));
    }
    body["material"] = materials.items().begin().key();
  }
}

std::string stem(const std::string& source) {
  return as_utf8(std::filesystem::path(source).stem().string());
}

// ---- the parts of a Setup without meshes

ContinuationSetup read_continuation(const Node& node) {
  ContinuationSetup path;
  path.first = node["first"].number();
  path.largest = node["largest"].number();
  path.smallest = node["smallest"].number();
  path.until = node["until"].number();
  path.most_motion = node["most_motion"].number();
  if (path.first < path.smallest || path.first > path.largest)
    node["first"].fail(code::scene_value, "found {}, expected a length between smallest, {}, and largest, {}",
                       path.first, path.smallest, path.largest);
  return path;
}

TimeSetup read_time(const Node& node) {
  TimeSetup time;
  time.step = node["step"].number();
  time.steps = node["steps"].integer();
  time.ramp = node["ramp"].flag();
  if (node["substeps"].json().is_number()) time.substeps = node["substeps"].integer();
  if (node["max_travel"].json().is_number()) time.max_travel = node["max_travel"].number();
  const std::string integrator = node["integrator"].text();
  const std::string mode = node["mode"].text();
  time.integrator = mode != "dynamic"         ? Integrator::statics
                    : integrator == "bdf2"    ? Integrator::bdf2
                    : integrator == "newmark" ? Integrator::newmark
                                              : Integrator::implicit_euler;
  if (mode == "continuation") time.continuation = read_continuation(node["continuation"]);
  time.newmark_beta = node["newmark"]["beta"].number();
  time.newmark_gamma = node["newmark"]["gamma"].number();
  if (2 * time.newmark_beta < time.newmark_gamma)
    node["newmark"].fail(
        code::scene_value,
        "beta {} is less than half of gamma {}, which is unstable; use, for example, beta 0.25 and gamma 0.5",
        time.newmark_beta, time.newmark_gamma);
  return time;
}

SpinSetup read_spin(const Node& node, const TimeSetup& time) {
  SpinSetup spin;
  const Node axis = node["axis"], speed = node["speed"];
  spin.axis = axis.json().is_string() ? Vec3(Vec3::Unit(axis.text()[0] - 'x')) : axis.vector();
  const double length = spin.axis.stableNorm();
  if (!(length > 0)) axis.fail(code::scene_value, "found an axis of length zero, expected a length above 0");
  spin.axis /= length;
  spin.center = node["center"].vector();
  if (speed.json().is_number())
    spin.speed = speed.number(largest_velocity, "rad/s");
  else
    spin.keys = read_keyframes(speed);
  if (time.integrator == Integrator::newmark)
    node.fail(code::scene_value,
              "found a spin with time.integrator \"newmark\", which does not support it; use \"bdf2\" or "
              "\"implicit_euler\"");
  return spin;
}

SoundSettings read_sound(const Node& node) {
  SoundSettings sound;
  sound.source = node["source"].text() == "motion" ? SoundOrigin::motion : SoundOrigin::modes;
  sound.modes = node["modes"].integer();
  sound.damping_ratio = node["damping_ratio"].number();
  sound.impact_time = node["impact_time"].number();
  sound.tail = node["tail"].number();
  if (node["listener"].json().is_array()) sound.listener = node["listener"].vector(largest_length, "m");
  sound.ears = node["ears"].number();
  if (node["gain"].json().is_number()) sound.gain = node["gain"].number();
  return sound;
}

// Names, each once.
std::vector<std::string> read_fields(const Node& node) {
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < node.size(); ++i)
    if (std::ranges::count(fields, node[i].text()) == 0) fields.push_back(node[i].text());
  return fields;
}

OutputSetup read_output(const Node& node) {
  OutputSetup output;
  output.every = node["every"].integer();
  output.checkpoint = node["checkpoint"].integer();
  output.formats.clear();
  const Node formats = node["formats"];
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (std::count(output.formats.begin(), output.formats.end(), formats[i].text()) == 0)
      output.formats.push_back(formats[i].text());
  }
  output.sound = read_sound(node["sound"]);
  output.fields = read_fields(node["fields"]);
  output.nodal_fields = read_fields(node["nodal_fields"]);
  return output;
}

// Reads a whole completed scene.
class SceneReader {
 public:
  SceneReader(const nlohmann::json& given, Json completed, std::filesystem::path base_dir, const std::string& source,
              const ReadingHooks& hooks)
      : given_(given), base_dir_(std::move(base_dir)), hooks_(hooks) {
    scene_.source = source;
    scene_.fits = fit_materials(completed, base_dir_, source);
    // What was fitted is put in order, and must keep to the schema as what is written by hand.
    scene_.completed =
        scene_.fits.empty() ? std::move(completed) : complete(nlohmann::json(completed), scene_schema(), source);
  }

  Scene read() {
    const Node root(scene_.completed, "", scene_.source);
    Setup& setup = scene_.setup;
    setup.name = root["name"].text();
    setup.gravity = root["gravity"].vector(largest_velocity, "m/s^2");
    setup.time = read_time(root["time"]);
    if (root.has("spin")) setup.spin = read_spin(root["spin"], setup.time);
    setup.solver = read_solver(root["solver"], base_dir_);
    scene_.output = read_output(root["output"]);
    scene_.compare_from = root["compare"]["from"].integer();
    read_initial(root);
    read_contact(root);  // before the meshes, which take long
    check_sound(root["output"]["formats"]);
    const Node materials = root["materials"];
    ShapeMesher shapes(root["size"], hooks_);
    const auto takes_all = [](const Method* method) { return method->all_elements; };
    const bool prefers_mixed = setup.time.integrator == Integrator::statics && !setup.solver.multilevel.printed &&
                               std::ranges::all_of(possible_methods(setup.solver), takes_all);
    setup.bodies = read_bodies(root["bodies"], {materials, base_dir_, used_}, shapes, prefers_mixed);
    refuse_silent_bodies(root["bodies"]);
    setup.ties = read_ties(root["ties"], setup.bodies);
    setup.obstacles = read_obstacles(root["obstacles"], base_dir_, seconds_per_frame(), shapes);
    setup.sensors = read_sensors(root["sensors"], setup);
    scene_.shapes = shapes.files();
    keep_known_pairs();
    warn_unused_materials(materials);
    warn_of_fits();
    warn_of_short_caches();
    warn_without_effect();
    return std::move(scene_);
  }

 private:
  template <class... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) {
    scene_.warnings.push_back(fmt::format("{}: {}", scene_.source, fmt::format(format, std::forward<Args>(args)...)));
    if (hooks_.log_warnings) log::message(log::Level::warning, scene_.warnings.back());
  }

  bool given(const char* object, const char* key) const {
    return given_.contains(object) && given_[object].contains(key);
  }

  // Given, and not just as what it is anyway: completed scenes name every key.
  bool chosen(const char* object, const char* key) const {
    return given(object, key) &&
           is_chosen(given_[object][key], scene_schema()["properties"][object]["properties"][key]);
  }
  static bool is_chosen(const nlohmann::json& value, const Json& rule) {
    if (!rule.contains("default")) return true;
    if (!value.is_object() || !rule.contains("properties")) return Json(value) != rule["default"];
    const Json& properties = rule["properties"];
    return std::any_of(value.items().begin(), value.items().end(), [&](const auto& item) {
      return !properties.contains(item.key()) || is_chosen(item.value(), properties[item.key()]);
    });
  }

  void read_initial(const Node& root) {
    if (!root.has("initial")) return;
    const Node node = root["initial"];
    const bool path_alone = node.json().is_string();
    scene_.initial.path = (base_dir_ / (path_alone ? node : node["file"]).text()).string();
    scene_.initial.reset_time = !path_alone && node["time"].text() == "reset";
  }

  void read_contact(const Node& root) {
    const Node node = root["contact"];
    ContactSetup& contact = scene_.setup.contact;
    contact.enabled = node["enabled"].flag();
    const std::string model = node["model"].text();
    contact.model = model == "penalty"      ? ContactKind::penalty
                    : model == "convergent" ? ContactKind::convergent
                                            : ContactKind::barrier;
    contact.subdivision = node["subdivision"].integer();
    contact.distance = node["distance"].json().is_number() ? node["distance"].number() : 0;
    if (node["stiffness"].json().is_number()) contact.stiffness = node["stiffness"].number();
    contact.slip_speed = node["slip_speed"].json().is_number() ? node["slip_speed"].number() : 0;
    const Node rounds = node["friction_iterations"];
    contact.friction_iterations = rounds.json().is_number() ? rounds.integer() : 0;
    contact.friction_tolerance = node["friction_tolerance"].number();
    if (node["surface_samples"].json().is_number()) contact.surface_samples = node["surface_samples"].integer();
    contact.self = node["self"].flag();
    read_friction(root, node["friction"]);
    read_ignore(root, node["ignore"]);
    read_thickness(root, node["thickness"]);
    read_interference(root, node["interference"]);
  }

  // Contacts in motion are what is heard, or the motion itself.
  void check_sound(const Node& formats) const {
    if (!scene_.output.writes("wav")) return;
    if (scene_.setup.time.integrator == Integrator::statics)
      formats.fail(code::scene_value,
                   "found \"wav\" with time.mode \"static\", in which bodies make no sound; leave \"wav\" out, or use "
                   "time.mode \"dynamic\"");
    if (!scene_.setup.contact.enabled && !hears_motion())
      formats.fail(code::scene_value,
                   "found \"wav\" with contact.enabled false, but only contacts make sound; leave \"wav\" out, "
                   "enable contact, or set output.sound.source to \"motion\"");
  }

  bool hears_motion() const { return scene_.output.sound.source == SoundOrigin::motion; }

  // What is heard are modes of bodies that contacts strike at their own vertices, or the motion of tets.
  void refuse_silent_bodies(const Node& bodies) const {
    if (!scene_.output.writes("wav")) return;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (scene_.setup.bodies[b].collision && !hears_motion())
        bodies[b]["collision"].fail(code::scene_value,
                                    "found a collision surface with \"wav\" in output.formats, but its contacts make "
                                    "no sound; leave out \"wav\" or the collision surface");
      if (scene_.setup.bodies[b].skeleton)
        bodies[b]["skeleton"].fail(code::scene_value,
                                   "found a skeleton with \"wav\" in output.formats: such a body makes no sound; leave "
                                   "\"wav\" out");
      if (scene_.setup.bodies[b].affine)
        bodies[b]["kinematics"].fail(
            code::scene_value,
            "found \"affine\" with \"wav\" in output.formats: an affine body has no modes that sound; leave \"wav\" "
            "out, "
            "or set kinematics to \"full\"");
    }
  }

  void read_friction(const Node& root, const Node& node) {
    ContactSetup& contact = scene_.setup.contact;
    if (node.json().is_number()) {
      contact.friction = node.number();
      return;
    }
    contact.friction = node["default"].number();
    const std::vector<std::string> known = friction_names(root);
    const Node pairs = node["pairs"];
    std::map<std::set<std::string>, double> seen;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Node pair = pairs[i];
      for (const int k : {0, 1}) check_name(pair[k], known, "material or obstacle", "materials and obstacles");
      const FrictionPair entry{pair[0].text(), pair[1].text(), pair[2].number()};
      const auto [old, added] = seen.emplace(std::set{entry.a, entry.b}, entry.coefficient);
      if (!added) pair.fail(code::scene_value, "the pair \"{}\", \"{}\" is given twice; keep one", entry.a, entry.b);
      contact.pairs.push_back(entry);
    }
  }

  // Materials of the scene and those given in place (which go by their body), then obstacles and their materials.
  static std::vector<std::string> friction_names(const Node& root) {
    std::vector<std::string> names;
    for (const auto& [name, value] : root["materials"].json().items()) names.push_back(name);
    for (const auto& body : root["bodies"].json()) {
      if (body["material"].is_object() && !body["material"].contains("regions")) names.push_back(body["name"]);
    }
    for (const auto& obstacle : root["obstacles"].json()) {
      names.push_back(obstacle.contains("material") ? obstacle["material"] : obstacle["name"]);
    }
    return names;
  }

  static std::vector<std::string> owner_names(const Node& root) {
    std::vector<std::string> names;
    for (const char* key : {"bodies", "obstacles"})
      for (const auto& item : root[key].json()) names.push_back(item["name"]);
    return names;
  }

  void read_interference(const Node& root, const Node& node) {
    const std::vector<std::string> known = owner_names(root);
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Node pair = node[i]["pair"];
      for (const int k : {0, 1}) check_name(pair[k], known, "body or obstacle", "bodies and obstacles");
      if (pair[0].text() == pair[1].text())
        pair.fail(code::interference, "found \"{}\" twice, expected two that overlap", pair[0].text());
      scene_.setup.contact.interferences.push_back({pair[0].text(), pair[1].text(), node[i]["over"].integer()});
    }
  }

  void read_ignore(const Node& root, const Node& node) {
    const std::vector<std::string> known = owner_names(root);
    for (std::size_t i = 0; i < node.size(); ++i) {
      for (const int k : {0, 1}) check_name(node[i][k], known, "body or obstacle", "bodies and obstacles");
      scene_.setup.contact.ignore.push_back({node[i][0].text(), node[i][1].text()});
    }
  }

  void read_thickness(const Node& root, const Node& node) {
    const std::vector<std::string> known = owner_names(root);
    for (const auto& [name, value] : node.json().items()) {
      if (std::ranges::find(known, name) == known.end())
        node.fail(code::scene_name, "unknown body or obstacle \"{}\"{}bodies and obstacles of the scene: {}",
                  shortened(name), did_you_mean_then(name, known), quoted_list(known));
      scene_.setup.contact.thickness[name] = node[name].number(largest_length, "m");
    }
  }

  static void check_name(const Node& name, const std::vector<std::string>& known, const char* what,
                         const char* plural) {
    const std::string text = name.text();
    if (std::find(known.begin(), known.end(), text) != known.end()) return;
    name.fail(code::scene_name, "unknown {} \"{}\"{}{} of the scene: {}", what, shortened(text),
              did_you_mean_then(text, known), plural, quoted_list(known));
  }

  // A Setup knows only materials that are used; a pair of any other can never touch.
  void keep_known_pairs() {
    std::set<std::string> known;
    for (const BodySetup& body : scene_.setup.bodies) {
      for (const MaterialAssignment& material : body.materials) known.insert(material.name);
    }
    for (const ObstacleSetup& obstacle : scene_.setup.obstacles) {
      known.insert(obstacle.material.empty() ? obstacle.name : obstacle.material);
    }
    std::erase_if(scene_.setup.contact.pairs,
                  [&](const FrictionPair& p) { return !known.contains(p.a) || !known.contains(p.b); });
  }

  void warn_of_fits() {
    for (const MaterialFit& fit : scene_.fits) {
      if (fit.result.converged) continue;
      warn("{}: the fit has not converged after {} iterations", fit.place, fit.result.iterations);
    }
  }

  // Of the output: vertex caches without times have a sample for each frame.
  double seconds_per_frame() const {
    const TimeSetup& time = scene_.setup.time;
    return scene_.output.every * (time.integrator == Integrator::statics ? 1.0 / time.steps : time.step);
  }

  void warn_of_short_caches() {
    const TimeSetup& time = scene_.setup.time;
    const double end = time.integrator == Integrator::statics ? 1 : time.steps * time.step;
    for (const ObstacleSetup& obstacle : scene_.setup.obstacles) {
      if (!obstacle.motion.course) continue;
      const double last = obstacle.motion.course->times.back();
      if (last < end * (1 - 1e-6))
        warn(
            "obstacle \"{}\": its vertices end at {:.4g} s, before the end of the run at {:.4g} s; it then stays as in "
            "the last sample",
            obstacle.name, last, end);
    }
  }

  void warn_unused_materials(const Node& materials) {
    std::set<std::string> of_obstacles;
    for (const ObstacleSetup& obstacle : scene_.setup.obstacles) of_obstacles.insert(obstacle.material);
    for (const auto& [name, value] : materials.json().items()) {
      if (!used_.contains(name) && !of_obstacles.contains(name)) warn("materials.{}: no body uses this material", name);
    }
  }

  // Keys that are understood but change nothing in this scene or this version.
  void warn_without_effect() {
    const SolverSetup& solver = scene_.setup.solver;
    const std::vector<const Method*> possible = possible_methods(solver);
    // Whether some of them use it; where others do not that is told when "auto" is settled.
    const auto effective = [&](const char* key) {
      const auto users = std::ranges::count_if(possible, [&](const Method* method) { return method->uses(key); });
      if (users > 0 && users < std::ssize(possible)) scene_.doubtful_keys.emplace_back(key);
      return users > 0;
    };
    for (const char* key :
         {"handles", "subspace", "cubature", "iterations", "error_every", "multilevel", "adaptive", "quasi_newton"})
      if (chosen("solver", key) && !effective(key))
        warn("solver.{}: has no effect with method \"{}\"", key, solver.method);
    if (!solver.adaptive.accept_by_estimate && solver.adaptive.accuracy != AdaptiveSetup().accuracy)
      warn("solver.adaptive.accuracy: has no effect with acceptance \"oracle\"");
    const bool levels = std::ranges::any_of(possible, [](const Method* method) { return method->has_levels; });
    if (levels && given("solver", "cubature") && !solver.multilevel.has_cubature())
      warn("solver.cubature: has no effect without solver.multilevel.printed and its hessian \"cubature\"");
    if (!solver.linear_solver.empty() && !linear_solver_chooses(solver)) {
      warn("solver.linear_solver: has no effect with method \"{}\", only with \"newton\"", solver.method);
    }
    for (const char* key : {"linear_tolerance", "linear_iterations", "linear_preconditioner"})
      if (chosen("solver", key) && !effective(key))
        warn("solver.{}: has no effect with method \"{}\" and its linear solver", key, solver.method);
    if (chosen("solver", "domains") && (!effective("subspace") || !is_dense_subspace(solver.subspace)))
      warn("solver.domains: has an effect only with a method in a subspace of modes");
    if (chosen("solver", "warping") && (!effective("subspace") || !is_dense_subspace(solver.subspace)))
      warn("solver.warping: has an effect only with a method in a subspace of modes");
    else if (solver.warping && chosen("solver", "cubature"))
      warn("solver.cubature: has no effect with solver.warping, which needs no cubature points");
    if (levels) warn_of_multilevel();
    const bool is_static = scene_.setup.time.integrator == Integrator::statics;
    const char* mode = scene_.setup.time.continuation ? "continuation" : "static";
    for (const char* key : {"integrator", "step"}) {
      if (is_static && chosen("time", key)) warn("time.{}: has no effect in mode \"{}\"", key, mode);
    }
    if (scene_.setup.time.integrator != Integrator::newmark && chosen("time", "newmark"))
      warn("time.newmark: has no effect, since time.integrator is not \"newmark\"");
    if (scene_.setup.time.continuation) {
      if (chosen("time", "substeps")) warn("time.substeps: has no effect in mode \"continuation\"");
      if (chosen("solver", "instability")) warn("solver.instability: has no effect in mode \"continuation\"");
    } else if (chosen("time", "continuation"))
      warn("time.continuation: has an effect only in mode \"continuation\"");
    if (!is_static && chosen("time", "ramp")) warn("time.ramp: has no effect in mode \"dynamic\", only in \"static\"");
    const TimeSetup& time = scene_.setup.time;
    if (chosen("time", "max_travel") && time.max_travel > 0) {
      if (is_static)
        warn("time.max_travel: has no effect in mode \"static\", only in \"dynamic\"");
      else if (time.substeps <= 1)
        warn("time.max_travel: has no effect with time.substeps {}, which never divides a step", time.substeps);
    }
    if (chosen("solver", "instability") && !is_static)
      warn("solver.instability: has an effect only in mode \"static\"");
    if (chosen("solver", "force_tolerance") && !is_static)
      warn("solver.force_tolerance: has an effect only in mode \"static\"");
    if (chosen("output", "sound") && !scene_.output.writes("wav"))
      warn("output.sound: has no effect without \"wav\" in output.formats");
    if (hears_motion()) {
      const Json& rules = scene_schema()["properties"]["output"]["properties"]["sound"]["properties"];
      for (const char* key : {"modes", "damping_ratio", "impact_time", "tail"})
        if (const auto& sound = given_["output"]["sound"]; sound.contains(key) && is_chosen(sound[key], rules[key]))
          warn("output.sound.{}: has no effect with output.sound.source \"motion\"", key);
    }
    for (std::size_t b = 0; b < scene_.setup.bodies.size(); ++b) warn_of_body(b, is_static);
    if (given_.contains("size") && scene_.shapes.empty() &&
        is_chosen(given_["size"], scene_schema()["properties"]["size"])) {
      warn("size: has no effect, since the scene has no gallery shape");
    }
  }

  void warn_of_multilevel() {
    if (!given("solver", "multilevel")) return;
    const nlohmann::json& given = given_["solver"]["multilevel"];
    const Json& rules = scene_schema()["properties"]["solver"]["properties"]["multilevel"]["properties"];
    const MultilevelSetup& multilevel = scene_.setup.solver.multilevel;
    const auto without_effect = [&](std::initializer_list<const char*> keys, const char* with) {
      for (const char* key : keys)
        if (given.contains(key) && is_chosen(given[key], rules[key]))
          warn("solver.multilevel.{}: has no effect with {}", key, with);
    };
    if (resolved_method(scene_.setup.solver) == "newton-multilevel") {
      const char* method = "method \"newton-multilevel\", which solves to solver.linear_tolerance";
      without_effect({"forcing", "printed"}, method);
    } else if (multilevel.printed) {
      without_effect({"forcing", "reduced_lag", "eliminate_contacts"}, "solver.multilevel.printed");
    }
  }

  void warn_of_body(std::size_t b, bool is_static) {
    const BodySetup& body = scene_.setup.bodies[b];
    const auto no_effect = [&](const char* key) {
      if (is_static) {
        warn("bodies[{}].{}: has no effect in mode \"static\"{}", b, key,
             key == std::string_view("damping") ? ", only on `sinew response`" : "");
      } else {
        warn("bodies[{}].{}: has no effect, since all vertices of body \"{}\" are fixed", b, key, body.name);
      }
    };
    if (is_static || all_fixed(body)) {
      if (!body.velocity.isZero(0)) no_effect("velocity");
      if (!body.angular_velocity.isZero(0)) no_effect("angular_velocity");
    }
    if (is_static && (body.damping_mass > 0 || body.damping_stiffness > 0)) no_effect("damping");
  }

  // Whether every vertex in use is prescribed along all axes at the start.
  static bool all_fixed(const BodySetup& body) {
    std::vector<std::array<bool, 3>> fixed(body.mesh.vertex_count(), std::array<bool, 3>{});
    for (const FixSetup& fix : body.fixes) {
      for (const Index v : fix.vertices) {
        for (int k = 0; k < 3; ++k) fixed[v][k] = fixed[v][k] || fix.axes[k];
      }
    }
    for (const Index v : used_vertices(body.mesh)) {
      const auto& axes = fixed[v];
      if (!(axes[0] && axes[1] && axes[2])) return false;
    }
    return true;
  }

  const nlohmann::json& given_;
  std::filesystem::path base_dir_;
  const ReadingHooks& hooks_;
  std::set<std::string> used_;  // names of materials
  Scene scene_;
};

}  // namespace

Json completed_scene(const nlohmann::json& scene, const std::string& source) {
  Json result = complete(with_paper_settings(scene, scene_schema()), scene_schema(), source);
  if (!result.contains("name")) result["name"] = stem(source);
  std::map<std::string, std::string> names;
  complete_names(result["bodies"], "body", "bodies", source, names);
  complete_names(result["obstacles"], "obstacle", "obstacles", source, names);
  complete_materials(result, source);
  return complete(nlohmann::json(result), scene_schema(), source);  // what was added, in the order of the schema
}

Scene parse_scene(const nlohmann::json& scene, const std::filesystem::path& base_dir, const std::string& source,
                  const ReadingHooks& hooks) {
  return SceneReader(scene, completed_scene(scene, source), base_dir, source, hooks).read();
}

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides, const ReadingHooks& hooks) {
  nlohmann::json scene = read_json_file(path);
  for (const std::string& assignment : overrides) apply_override(scene, assignment);
  return parse_scene(scene, std::filesystem::path(path).parent_path(), path, hooks);
}

std::shared_ptr<System> build_system(Scene& scene) {
  try {
    ContactSetup& contact = scene.setup.contact;
    // Bodies that overlap at rest start from another state, or squeezed apart.
    const bool overlaps = !scene.initial.path.empty() || !contact.interferences.empty();
    if (contact.enabled && contact.distance == 0 && overlaps) contact.interference = smallest_interference(scene.setup);
    const std::shared_ptr<System> system = build_system(std::move(scene.setup));
    settle_method(system->setup.solver, *system);
    require_method_for_bodies(*system, resolved_method(system->setup.solver));
    if (scene.initial.path.empty()) start_interferences(*system);
    return system;
  } catch (const InputError& error) {
    fail_input(error.code(), "{}: {}", scene.source, error.what());
  }
}

}  // namespace sinew
