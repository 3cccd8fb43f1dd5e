// sinew check: what a scene would run, and what would go wrong.

#include <algorithm>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/intersection_file.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/initial_state.h"
#include "sinew/io/user_cells.h"
#include "sinew/lint/check_parts.h"
#include "sinew/lint/memory.h"
#include "sinew/lint/scene_check.h"
#include "sinew/scene/json_text.h"

namespace sinew::app {
namespace {

struct CheckOptions {
  SceneOptions scene;
  std::string intersections, json;
  bool brief = false;
};

// What would run.
struct Plan {
  std::vector<ShapeFile> shapes;
  std::vector<MaterialFit> fits;
  SceneFacts facts;
  std::shared_ptr<const System> system;
  std::string method;
  std::optional<LevelPlan> levels;     // of the method multilevel
  std::optional<ReducedPlan> reduced;  // of the reduced methods
  double memory = 0, free_memory = 0;  // [bytes]
  std::string initial;                 // the file that the scene starts from
  double start_time = 0;               // [s]; in statics the share of the load
};

const char* integrator_name(Integrator integrator) {
  switch (integrator) {
    case Integrator::bdf2:
      return "BDF2";
    case Integrator::newmark:
      return "Newmark";
    case Integrator::statics:
      return "statics";
    case Integrator::implicit_euler:
      return "implicit Euler";
  }
  return "";
}

// "12 tets", of cloth "12 triangles", of both "12 tets, 8 triangles"
std::string elements_text(Index tets, Index triangles) {
  if (triangles == 0) return fmt::format("{} tets", tets);
  return tets == 0 ? fmt::format("{} triangles", triangles) : fmt::format("{} tets, {} triangles", tets, triangles);
}

// handles: < 0 where there are none to have.
std::string body_text(const BodyFacts& body, Index handles) {
  std::string text =
      fmt::format("  {}: {} vertices, {}", body.name, body.vertices, elements_text(body.tets, body.triangles));
  if (body.fixed > 0) text += fmt::format(", {} fixed vertices", body.fixed);
  if (body.loaded_faces > 0) text += fmt::format(", {} loaded faces", body.loaded_faces);
  if (body.springs > 0) text += fmt::format(", {} springs", body.springs);
  if (handles >= 0) text += fmt::format(", {} handle{}", handles, handles == 1 ? "" : "s");
  const Vec3 size = body.upper - body.lower;
  return text + fmt::format(", {:.3g} x {:.3g} x {:.3g} m, {:.3g} kg\n", size.x(), size.y(), size.z(), body.mass);
}

Index triangle_count(const CollisionMesh& mesh, Index owner) {
  Index triangles = 0;
  for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t)
    triangles += mesh.vertex_owner[mesh.triangles(0, t)] == owner;
  return triangles;
}

// Counts of its vertices and triangles are those that its surface uses.
std::string obstacle_text(const System& system, std::size_t o) {
  const ObstacleSetup& obstacle = system.setup.obstacles[o];
  const char* moving = obstacle.motion.empty() ? "" : ", moving";
  if (obstacle.plane) return fmt::format("  {}: a plane{}\n", obstacle.name, moving);
  const CollisionMesh& mesh = system.collision;
  const auto owner = static_cast<Index>(system.bodies.size() + o);
  const auto vertices = std::count(mesh.vertex_owner.begin(), mesh.vertex_owner.end(), owner);
  return fmt::format("  {}: {} vertices, {} triangles{}\n", obstacle.name, vertices, triangle_count(mesh, owner),
                     moving);
}

std::string shape_text(const ShapeFile& shape) {
  const std::string cells = shape.tets > 0 ? fmt::format("{} tets", shape.tets)  // of a body
                                           : fmt::format("{} triangles", shape.triangles);
  return fmt::format("  {}: {}, size {}, {} vertices, {}, {}\n", shape.place, shape.shape, shape.size, shape.vertices,
                     cells, shape.file.empty() ? "not kept" : shape.file);
}

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.5g}", text.empty() ? "" : ", ", value);
  return text;
}

std::string fit_text(const MaterialFit& fit) {
  std::string text = fmt::format("    fitted, {} {} iterations with Poisson's ratio {}\n",
                                 fit.result.converged ? "converged after" : "NOT CONVERGED after",
                                 fit.result.iterations, fit.result.poisson);
  for (const std::string& line : number_lines(fit.result)) text += fmt::format("    {}\n", line);
  for (const auto& [name, points] : fit.result.curves.points)
    text += fmt::format("    {}' [Pa] {} at {}\n", name, list_text(points.dy), list_text(points.x));
  for (std::size_t k = 0; k < fit.measurements.size(); ++k)
    text += fmt::format("    {}\n", residual_text(fit.measurements[k], fit.result.rms[k]));
  return text + "    " + stable_text(fit.result);
}

Json fit_json(const MaterialFit& fit) {
  Json measurements = Json::array();
  for (std::size_t k = 0; k < fit.measurements.size(); ++k) {
    const Measurement& m = fit.measurements[k];
    measurements.push_back({{"file", m.source},
                            {"experiment", experiment_name(m.experiment)},
                            {"points", m.stretch.size()},
                            {"rms", fit.result.rms[k]}});
  }
  Json stable = Json::object();
  for (const StableRange& range : fit.result.stable)
    stable[experiment_name(range.experiment)] = {range.low, range.high};
  return {{"parameters", fitted_parameters(fit.result)},
          {"deviations", fit.result.deviations},
          {"poisson", fit.result.poisson},
          {"iterations", fit.result.iterations},
          {"converged", fit.result.converged},
          {"stable", stable},
          {"measurements", measurements}};
}

std::string plan_text(const Plan& plan) {
  const System& system = *plan.system;
  const TimeSetup& time = system.setup.time;
  std::string text = plan.shapes.empty() ? "" : "shapes:\n";
  for (const ShapeFile& shape : plan.shapes) text += shape_text(shape);
  text += "bodies:\n";
  for (std::size_t b = 0; b < plan.facts.bodies.size(); ++b)
    text += body_text(plan.facts.bodies[b], plan.levels ? plan.levels->body_handles[b] : -1);
  if (!system.setup.obstacles.empty()) text += "obstacles:\n";
  for (std::size_t o = 0; o < system.setup.obstacles.size(); ++o) text += obstacle_text(system, o);
  text += "materials:\n";
  for (const auto& [name, m] : plan.facts.materials) {
    text += fmt::format("  {}: {}, {}\n", name, m.model, elements_text(m.tets, m.triangles));
    for (const MaterialFit& fit : plan.fits)
      if (fit.material == name) text += fit_text(fit);
  }
  text += time.continuation
              ? fmt::format("run: up to {} steps along the path of equilibria to {:g} of the load, method {}\n",
                            time.steps, time.continuation->until, plan.method)
          : time.integrator == Integrator::statics
              ? fmt::format("run: {} load steps, statics, method {}\n", time.steps, plan.method)
              : fmt::format("run: {} steps of {} s, {}, method {}\n", time.steps, time.step,
                            integrator_name(time.integrator), plan.method);
  if (const std::string& reason = system.setup.solver.method_reason; !reason.empty())
    text += fmt::format("  solver.method is \"auto\": {}\n", reason);
  if (!plan.initial.empty()) {
    text += fmt::format("initial: {}, from time {:g}{} on\n", plan.initial, plan.start_time,
                        time.integrator == Integrator::statics ? " of the load" : " s");
  }
  text += fmt::format("tolerance: {:.3g} {}{}\n", system.setup.solver.tolerance,
                      time.integrator == Integrator::statics ? "m" : "m/s",
                      system.setup.solver.norm == "mean" ? ", of the mean over the vertices" : "");
  text += fmt::format("size: {} vertices, {}, {} degrees of freedom\n", system.user_vertex_count,
                      elements_text(user_tets_of(system), system.triangle_count()), 3 * system.dynamic_count);
  if (plan.levels) text += plan_text(*plan.levels, system.setup.solver);
  if (plan.reduced) text += plan_text(*plan.reduced);
  if (system.setup.contact.enabled) {
    const bool penalty = system.setup.contact.model == ContactKind::penalty;
    text += fmt::format("contact: {}distance {:.3g} m, stiffness {:.3g} Pa{}\n", penalty ? "by penalties, " : "",
                        system.contact_distance, system.contact_stiffness,
                        system.adaptive_stiffness ? " to start with" : "");
  }
  return text +
         fmt::format("memory: about {} needed, {} free\n", memory_text(plan.memory), memory_text(plan.free_memory));
}

Json plan_json(const Plan& plan) {
  const System& system = *plan.system;
  Json bodies = Json::array(), materials = Json::object(), shapes = Json::array();
  for (const ShapeFile& s : plan.shapes) {
    shapes.push_back({{"mesh", s.place},
                      {"shape", s.shape},
                      {"size", s.size},
                      {"vertices", s.vertices},
                      {"tets", s.tets},
                      {"triangles", s.triangles},
                      {"file", s.file}});
  }
  for (const BodyFacts& b : plan.facts.bodies) {
    bodies.push_back({{"name", b.name},
                      {"vertices", b.vertices},
                      {"tets", b.tets},
                      {"triangles", b.triangles},
                      {"fixed_vertices", b.fixed},
                      {"loaded_faces", b.loaded_faces},
                      {"springs", b.springs},
                      {"lower", {b.lower.x(), b.lower.y(), b.lower.z()}},
                      {"upper", {b.upper.x(), b.upper.y(), b.upper.z()}},
                      {"mass", b.mass}});
  }
  for (const auto& [name, m] : plan.facts.materials)
    materials[name] = {{"model", m.model}, {"tets", m.tets}, {"triangles", m.triangles}};
  for (const MaterialFit& fit : plan.fits)
    if (materials.contains(fit.material)) materials[fit.material]["fit"] = fit_json(fit);
  Index body_triangles = 0;  // of the surfaces of all bodies
  for (std::size_t b = 0; b < system.bodies.size(); ++b)
    body_triangles += triangle_count(system.collision, static_cast<Index>(b));
  if (plan.levels) {
    for (std::size_t b = 0; b < bodies.size(); ++b) bodies[b]["handles"] = plan.levels->body_handles[b];
  }
  const std::string& reason = system.setup.solver.method_reason;
  return {{"shapes", shapes},
          {"bodies", bodies},
          {"materials", materials},
          {"method", plan.method},
          {"method_reason", reason.empty() ? Json() : Json(reason)},
          {"factorisation_flops_a_vertex", choose_method(system).flops_a_vertex},
          {"start_time", plan.start_time},
          {"vertices", system.user_vertex_count},
          {"tets", user_tets_of(system)},
          {"triangles", body_triangles},
          {"dofs", 3 * system.dynamic_count},
          {"tolerance", system.setup.solver.tolerance},
          {"contact_distance", system.contact_distance},
          {"contact_stiffness", system.contact_stiffness},
          {"levels", plan.levels ? json(*plan.levels) : Json()},
          {"subspace", plan.reduced ? json(*plan.reduced) : Json()},
          {"memory_bytes", plan.memory},
          {"free_memory_bytes", plan.free_memory}};
}

std::string verdict_text(const Findings& findings) {
  if (findings.empty()) return "no problems found";
  std::string text;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::remark}) {
    const std::size_t count = findings.count(severity);
    if (count == 0) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, severity_name(severity), count == 1 ? "" : "s");
  }
  return (findings.count(Severity::error) > 0 ? "the scene cannot run: " : "the scene can run: ") + text;
}

struct CheckResult {
  Plan plan;
  Findings findings;
  std::size_t written = 0;  // primitives in the file of --intersections
};

CheckResult check_scene(Scene& scene, const CheckOptions& options, SceneCheck& check) {
  CheckResult result;
  Plan& plan = result.plan;
  plan.shapes = scene.shapes;
  plan.fits = scene.fits;
  check.look_at(scene.setup);
  plan.facts = check.facts();
  plan.system = build_system(scene);
  plan.method = resolved_method(plan.system->setup.solver);
  if (find_method(plan.method).has_levels) plan.levels = level_plan(*plan.system);
  plan.reduced = reduced_plan(*plan.system);
  plan.memory = estimated_memory(*plan.system, plan.method);
  plan.free_memory = available_memory();

  const std::optional<InitialMotion> motion = read_start(scene.initial, *plan.system, scene.source);
  const State state = start_state(*plan.system, motion);
  plan.initial = scene.initial.path;
  plan.start_time = state.time;
  check.look_at(scene, *plan.system, state, motion);
  result.findings = check.findings();
  if (result.findings.count(Severity::error) > 0 && !options.intersections.empty())
    result.written = write_intersections(options.intersections, *plan.system, state);
  return result;
}

std::string intersections_note(const CheckResult& result, const CheckOptions& options) {
  if (!options.intersections.empty()) {
    return result.written > 0
               ? fmt::format("the {} primitives that intersect are in {}\n", result.written, options.intersections)
               : fmt::format("no intersections: {} is not written\n", options.intersections);
  }
  return "";
}

void write_json(const CheckResult& result, const Scene& scene, const CheckOptions& options) {
  const Json all = {{"scene", scene.completed},
                    {"run", plan_json(result.plan)},
                    {"findings", result.findings.json()},
                    {"verdict", verdict_text(result.findings)}};
  const std::string text = all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // paths may not be UTF-8
  if (options.json == "-") {
    fmt::print("{}", text);
  } else {
    write_file_atomically(options.json, text);
  }
}

// Why the run would be refused, for the exit code.
[[noreturn]] void refuse(const CheckResult& result, const CheckOptions& options) {
  const char* look = options.intersections.empty()
                         ? "; to see the intersections, write them as a mesh with --intersections FILE.vtu"
                         : "";
  fail_input(code::check_findings, "{}: {} (listed above){}", options.scene.path, verdict_text(result.findings), look);
}

int execute(const CheckOptions& options) {
  if (!options.intersections.empty()) check_intersection_path(options.intersections);
  if (!options.json.empty() && options.json != "-") require_folder_of(options.json);
  keep_apart("--intersections", options.intersections, "--json", options.json);
  const ThreadLimit threads(options.scene.threads);
  SceneCheck check({});
  Scene scene = read_scene(options.scene);
  keep_inputs(scene, "--intersections", options.intersections);
  if (options.json != "-") keep_inputs(scene, "--json", options.json);
  const CheckResult result = check_scene(scene, options, check);

  // With the JSON on standard output the text goes to the other one.
  std::FILE* out = options.json == "-" ? stderr : stdout;
  if (!options.brief && options.json != "-") fmt::print(out, "{}\n\n", json_text(scene.completed));
  fmt::print(out, "{}{}{}", plan_text(result.plan), result.findings.text(), intersections_note(result, options));
  if (!options.json.empty()) write_json(result, scene, options);
  if (result.findings.count(Severity::error) > 0) refuse(result, options);
  fmt::print(out, "{}\n", verdict_text(result.findings));
  return 0;
}

}  // namespace

Action add_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  options->scene.add_to(app);
  options->scene.add_method_to(app);
  app.add_option("--intersections", options->intersections,
                 "Write the triangles and edges that intersect to a mesh file (.vtu, .obj or .ply)")
      ->check(not_empty("the name of a file"));
  app.add_option("--json", options->json,
                 "Write the completed scene, the sizes and all findings to this file as JSON (- for standard output)")
      ->check(not_empty("the name of a file"));
  app.add_flag("--brief", options->brief, "Leave out the completed scene");
  return [options] { return execute(*options); };
}

}  // namespace sinew::app
