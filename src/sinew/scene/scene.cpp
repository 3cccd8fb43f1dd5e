#include "sinew/scene/scene.h"

#include <algorithm>
#include <map>
#include <set>

#include "sinew/adaptive/mode_library.h"
#include "sinew/core/log.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/cubature/make_cubature.h"
#include "sinew/dynamics/interference_start.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/dynamics/methods.h"
#include "sinew/mesh/surface.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/scene/interference.h"
#include "sinew/scene/json_file.h"
#include "sinew/scene/paper_settings.h"
#include "sinew/scene/read_body.h"
#include "sinew/scene/read_motion.h"
#include "sinew/scene/read_sensors.h"
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

TimeSetup read_time(const Node& node) {
  TimeSetup time;
  time.step = node["step"].number();
  time.steps = node["steps"].integer();
  time.ramp = node["ramp"].flag();
  if (node["substeps"].json().is_number()) time.substeps = node["substeps"].integer();
  if (node["max_travel"].json().is_number()) time.max_travel = node["max_travel"].number();
  const std::string integrator = node["integrator"].text();
  time.integrator = node["mode"].text() == "static" ? Integrator::statics
                    : integrator == "bdf2"          ? Integrator::bdf2
                    : integrator == "newmark"       ? Integrator::newmark
                                                    : Integrator::implicit_euler;
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

QuasiNewtonSetup read_quasi_newton(const Node& node) {
  QuasiNewtonSetup setup;
  setup.initial = node["initial"].text();
  setup.acceleration = node["acceleration"].text();
  setup.history = node["history"].integer();
  setup.spectral_radius = node["spectral_radius"].number();
  setup.line_search = node["line_search"].flag();
  setup.rotations = node["rotations"].flag();
  setup.low = node["stretches"][0].number();
  setup.high = node["stretches"][1].number();
  if (!(setup.low < setup.high)) {
    node["stretches"].fail(code::scene_value, "found {:g} to {:g}, expected an interval: the smaller stretch first",
                           setup.low, setup.high);
  }
  return setup;
}

PrintedSetup read_printed(const Node& node) {
  PrintedSetup printed;
  printed.affine = node["affine"].flag();
  printed.subspace = node["subspace"].flag();
  printed.factorize = node["reduced_solver"].text() == "factor";
  printed.reduced_tolerance = node["reduced_tolerance"].number();
  printed.cubature_hessian = node["hessian"].text() == "cubature";
  printed.cubature_residual = node["residual"].text() == "cubature";
  if (printed.cubature_residual && !printed.cubature_hessian)
    node["residual"].fail(code::cubature, "\"cubature\" needs solver.multilevel.printed.hessian \"cubature\" too");
  if (node["refinement"].json().is_number()) printed.refinement = node["refinement"].integer();
  if (printed.refinement == 0 && !printed.affine && !printed.subspace)
    node["refinement"].fail(code::scene_value, "found 0 while both levels are off, expected at least 1");
  printed.lag = node["lag"].integer();
  printed.lag_step = node["lag_step"].number();
  printed.stop_by_subspace = node["stop"].text() == "subspace";
  if (printed.stop_by_subspace && !printed.affine && !printed.subspace)
    node["stop"].fail(code::scene_value, "found \"subspace\" while both levels are off, expected \"full\"");
  return printed;
}

MultilevelSetup read_multilevel(const Node& solver) {
  const Node node = solver["multilevel"];
  MultilevelSetup multilevel;
  multilevel.partition = node["partition"].text();
  multilevel.stiffness_exponent = node["stiffness_exponent"].number();
  multilevel.interface_stiffness = node["interface_stiffness"].number();
  const Node prune_ratio = node["prune_ratio"];
  multilevel.prune_ratio = prune_ratio.json().is_number() ? prune_ratio.number() : 0;
  if (multilevel.partition == "metis" && multilevel.prune_ratio != MultilevelSetup().prune_ratio)
    prune_ratio.fail(
        code::scene_value,
        "found {}, but partition \"metis\" has no clusters of k-means; remove it, or use another partition",
        prune_ratio.json().dump());
  multilevel.basis = node["basis"].text();
  multilevel.dirichlet = node["dirichlet"].flag();
  multilevel.reduced_lag = node["reduced_lag"].integer();
  multilevel.eliminate_contacts = node["eliminate_contacts"].flag();
  multilevel.forcing = node["forcing"].number();
  multilevel.cache = node["cache"].flag();
  if (node.has("printed")) multilevel.printed = read_printed(node["printed"]);
  return multilevel;
}

AdaptiveSetup read_adaptive(const Node& solver, const std::filesystem::path& base_dir) {
  const Node node = solver["adaptive"];
  AdaptiveSetup adaptive;
  adaptive.library.clear();
  const Node library = node["library"];
  const std::vector<std::string> kinds = library_kinds();
  for (std::size_t i = 0; i < library.size(); ++i) {
    const std::string kind = library[i].text();
    if (!is_mode_file(kind) && std::ranges::find(kinds, kind) == kinds.end())
      library[i].fail(code::scene_value, "found \"{}\", expected one of {}, or the path of a file of modes (.npz){}",
                      kind, quoted_list(kinds), did_you_mean(kind, kinds));
    if (std::ranges::count(adaptive.library, library[i].text()) > 0)
      library[i].fail(code::scene_value, "found \"{}\" twice, expected each kind once", library[i].text());
    adaptive.library.push_back(library[i].text());
  }
  for (std::string& kind : adaptive.library)
    if (is_mode_file(kind)) kind = (base_dir / kind).string();
  if (node["initial"].json().is_number()) adaptive.initial = node["initial"].integer();
  if (node["regions"].json().is_number()) adaptive.regions = node["regions"].integer();
  adaptive.vertex_error = node["vertex_error"].number();
  adaptive.mode_error = node["mode_error"].number();
  adaptive.progress = node["progress"].number();
  adaptive.drop_rate = node["drop_rate"].number();
  adaptive.trust = node["trust"].number();
  adaptive.linear_tolerance = node["linear_tolerance"].number();
  adaptive.block_jacobi = node["preconditioner"].text() == "block_jacobi";
  adaptive.whole_regions = node["exact"].text() == "regions";
  adaptive.accept_by_estimate = node["acceptance"].text() == "estimate";
  adaptive.accuracy = node["accuracy"].number();
  return adaptive;
}

// The poses that rules of dense modes are fitted to.
void read_training(const Node& cubature, const std::string& rule, SolverSetup& solver) {
  solver.jacobian = cubature["jacobian"].text();
  solver.krylov = cubature["krylov"].text();
  solver.training.size = cubature["pose_size"].number();
  solver.training.tolerance = cubature["tolerance"].number();
  if (cubature["poses"].json().is_number()) solver.training.poses = cubature["poses"].integer();
  if (solver.jacobian != "symmetric" && rule != "modal_forces")
    cubature["jacobian"].fail(code::cubature,
                              "found \"{}\", but the forces of rule \"{}\" have a symmetric derivative; remove it, or "
                              "use rule \"modal_forces\"",
                              solver.jacobian, rule);
  if (solver.krylov != "gmres" && solver.jacobian != "free")
    cubature["krylov"].fail(code::cubature,
                            "found \"{}\", but jacobian \"{}\" is a matrix, which is factored; remove it, or use "
                            "jacobian \"free\"",
                            solver.krylov, solver.jacobian);
}

// Of the rules that are fitted to clusters, and of the points of the reduced methods.
void read_cubature(const Node& node, SolverSetup& solver) {
  const bool dense = is_dense_subspace(solver.subspace);
  std::string rule = dense ? "energies" : "stiffness";
  solver.cubature_rule = rule;
  if (!node.has("cubature")) return;
  const Node cubature = node["cubature"];
  const std::vector<const Method*> possible = possible_methods(solver);
  // Whether the multilevel method looks at them, which has rules of its own.
  const bool levels = std::ranges::any_of(possible, [](const Method* method) { return method->has_levels; }) &&
                      solver.multilevel.has_cubature();
  if (cubature.json().is_number()) {
    solver.cubature_points = cubature.integer();
    if (levels)
      cubature.fail(code::cubature,
                    "found a number of points, expected a rule, since multilevel chooses the number itself");
  } else if (cubature.json().is_string()) {
    rule = cubature.text();
  } else {
    if (cubature.has("rule")) rule = cubature["rule"].text();
    solver.cubature_degree = cubature["degree"].integer();
    if (rule == "modal" && solver.cubature_degree > 2)
      cubature["degree"].fail(code::cubature, "found {}, expected 1 or 2 with rule \"modal\"", solver.cubature_degree);
    if (cubature["points"].json().is_number()) solver.cubature_points = cubature["points"].integer();
    solver.cubature_power = cubature["power"].number();
    if (solver.cubature_points > 0 && levels)
      cubature["points"].fail(code::cubature,
                              "found {} points, but multilevel chooses their number itself; remove this key",
                              solver.cubature_points);
    if (solver.cubature_points > 0 && !has_given_points(rule))
      cubature["points"].fail(code::cubature,
                              "found {} points with rule \"{}\", which chooses their number itself; remove this key, "
                              "or use rule \"{}\" or \"{}\"",
                              solver.cubature_points, rule, dense ? "energies" : "stiffness",
                              dense ? "optimized" : "clusters");
    read_training(cubature, rule, solver);
  }
  solver.cubature_rule = rule;
  if (levels && std::ranges::count(cubature_methods(), rule) == 0)
    cubature.fail(code::cubature, "found rule \"{}\", which is for the reduced methods; expected one of {}", rule,
                  quoted_list(cubature_methods()));
  const std::vector<std::string> rules = cubature_rules(dense);
  if (!levels && std::ranges::count(rules, rule) == 0)
    cubature.fail(code::cubature, "found rule \"{}\", which is not for solver.subspace \"{}\"; expected one of {}",
                  rule, fmt::join(solver.subspaces(), "\", \""), quoted_list(rules));
}

std::string read_subspace_kind(const Node& node, const std::filesystem::path& base_dir,
                               const std::vector<std::string>& kinds) {
  const std::string kind = node.text();
  if (is_mode_file(kind)) return (base_dir / kind).string();
  if (std::ranges::count(kinds, kind) == 0)
    node.fail(code::scene_value, "found \"{}\", expected one of {}, or the path of a file of modes (.npz){}", kind,
              quoted_list(kinds), did_you_mean(kind, kinds));
  return kind;
}

// A kind, or a list of those that are modes.
void read_subspace(const Node& node, const std::filesystem::path& base_dir, SolverSetup& solver) {
  if (node.json().is_string()) {
    solver.subspace = read_subspace_kind(node, base_dir, subspace_kinds());
    return;
  }
  std::vector<std::string> all;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::string kind = read_subspace_kind(node[i], base_dir, mode_kind_names());
    if (std::ranges::count(all, kind) > 0)
      node[i].fail(code::scene_value, "found \"{}\" twice, expected each kind once", node[i].text());
    all.push_back(kind);
  }
  solver.subspace = all.front();
  solver.further_subspaces.assign(all.begin() + 1, all.end());
}

SolverSetup read_solver(const Node& node, const std::filesystem::path& base_dir) {
  SolverSetup solver;
  solver.method = node["method"].text();
  if (node.has("linear_solver")) solver.linear_solver = node["linear_solver"].text();
  solver.tolerance = node["tolerance"].json().is_number() ? node["tolerance"].number() : 0;
  solver.norm = node["norm"].text();
  solver.force_tolerance = node["force_tolerance"].number();
  solver.instability = node["instability"].text();
  solver.max_iterations = node["max_iterations"].integer();
  solver.linear_tolerance = node["linear_tolerance"].number();
  solver.linear_iterations = node["linear_iterations"].integer();
  if (node["error_every"].json().is_number()) solver.error_every = node["error_every"].integer();
  solver.block_jacobi = node["linear_preconditioner"].text() == "block_jacobi";
  if (node["handles"].json().is_number()) solver.handles = node["handles"].integer();
  solver.domains = node["domains"].json().is_number() ? node["domains"].integer() : 0;
  solver.warping = node["warping"].flag();
  read_subspace(node["subspace"], base_dir, solver);
  if (node["iterations"].json().is_number()) solver.iterations = node["iterations"].integer();
  solver.quasi_newton = read_quasi_newton(node["quasi_newton"]);
  solver.multilevel = read_multilevel(node);
  solver.adaptive = read_adaptive(node, base_dir);
  read_cubature(node, solver);
  return solver;
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
    setup.obstacles = read_obstacles(root["obstacles"], base_dir_, shapes);
    setup.sensors = read_sensors(root["sensors"], setup);
    scene_.shapes = shapes.files();
    keep_known_pairs();
    warn_unused_materials(materials);
    warn_of_fits();
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
    for (const char* key : {"integrator", "step"}) {
      if (is_static && chosen("time", key)) warn("time.{}: has no effect in mode \"static\"", key);
    }
    if (scene_.setup.time.integrator != Integrator::newmark && chosen("time", "newmark"))
      warn("time.newmark: has no effect, since time.integrator is not \"newmark\"");
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
