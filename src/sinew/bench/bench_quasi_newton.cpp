// Benchmark of quasi-Newton iterations: ten of them against one of Newton's (Liu, Bouaziz, Kavan 2017, table 1), and
// the variants that the paper compares (figures 6, 7, 12, 13).

#include <algorithm>

#include "sinew/bench/bench.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/formats/read.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/material/registry.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/validate.h"
#include "sinew/newton/newton.h"
#include "sinew/quasi_newton/quasi_newton.h"
#include "sinew/solver/minimizer.h"

namespace sinew {
namespace {

constexpr double thirtieth = 1.0 / 30, armijo = 0.3;
constexpr int ten = 10, steps_before = 6;

struct Setting {
  const char* name;
  const char* model;
  bool ball;
  Vec3 size;                   // [m]; of a ball its diameter
  std::array<Index, 3> cells;  // of a ball those of its diameter
  double twist, shake;         // [1/s] about the long axis, growing along it; [m/s] along y, growing along it
};

// Of the sizes of the paper's table: thin sheet, shaking and twisting bars, the hippo, the bunny and the squirrels.
const Setting settings[] = {
    {"sheet", "polynomial", false, {2, 0.05, 2}, {18, 1, 18}, 0, 4},
    {"shaken bar", "corotated", false, {2, 0.4, 0.4}, {22, 4, 4}, 0, 6},
    {"shaken bar", "neo_hookean", false, {2, 0.5, 0.5}, {26, 6, 6}, 0, 6},
    {"ball", "corotated", true, {1, 1, 1}, {14, 14, 14}, 6, 6},
    {"twisted bar", "neo_hookean", false, {3, 0.7, 0.7}, {36, 8, 8}, 8, 0},
    {"ball", "corotated", true, {1, 1, 1}, {20, 20, 20}, 6, 6},
    {"block", "polynomial", false, {1, 1, 1}, {17, 17, 17}, 6, 4},
    {"block", "polynomial", false, {1, 1, 1}, {29, 29, 29}, 6, 4},
    {"block", "corotated", false, {1, 1, 1}, {29, 29, 29}, 6, 4},
    {"block", "neo_hookean", false, {1, 1, 1}, {29, 29, 29}, 6, 4},
};

UserParameters parameters_of(const std::string& model) {
  if (model == "polynomial") return {{"mu", {4e5}}};
  return {{"young", {1e5}}, {"poisson", {0.4}}};
}

TetMesh mesh_of(const Setting& setting) {
  return setting.ball ? make_sphere(0.5 * setting.size[0], setting.size[0] / setting.cells[0])
                      : make_box(setting.size, setting.cells);
}

std::shared_ptr<const System> build(const Setting& setting, TetMesh mesh, const QuasiNewtonSetup& quasi_newton = {}) {
  Setup setup;
  setup.name = setting.name;
  BodySetup body;
  body.name = "body";
  body.mesh = std::move(mesh);
  MaterialAssignment material;
  material.name = setting.model;
  material.model = shared_material_model(setting.model);
  material.parameters = material.model->resolve(parameters_of(setting.model));
  material.density = {1000};
  body.materials = {material};
  FixSetup fix;
  const double end = body.mesh.vertices.row(0).minCoeff() + (setting.ball ? 0.05 : 1e-9) * setting.size[0];
  for (Index v = 0; v < body.mesh.vertex_count(); ++v)
    if (body.mesh.vertices(0, v) <= end) fix.vertices.push_back(v);
  body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
  setup.contact.enabled = false;
  setup.time.step = thirtieth;
  setup.solver.tolerance = 1e-9;
  setup.solver.quasi_newton = quasi_newton;
  return build_system(std::move(setup));
}

// After some steps of a body that is thrown, as Newton's method finds them.
State moving(const std::shared_ptr<const System>& system, const Setting& setting) {
  State start = initial_state(*system);
  const double left = system->rest.row(0).minCoeff();
  for (Index i = 0; i < system->dynamic_count; ++i) {
    const Vec3 x = system->rest.col(i);
    const double along = (x[0] - left) / setting.size[0];
    start.v.col(i) = along * (setting.twist * Vec3::UnitX().cross(x) + setting.shake * Vec3::UnitY());
  }
  Simulation simulation(system);
  simulation.replace(std::move(start));
  for (int s = 0; s < steps_before; ++s) simulation.step();
  return simulation.state();
}

// One step from one state, by any method and any number of iterations.
class OneStep {
 public:
  OneStep(std::shared_ptr<const System> system, const State& state) : system_(system), potential_(system) {
    prepare_step(*system, state, context_);
    potential_.begin_step(context_, state.contact_stiffness);
    start_ = context_.target;
    start_.leftCols(system->dynamic_count) = context_.predictor;
    for (Index i = 0; i < system->dynamic_count; ++i)
      for (int k = 0; k < 3; ++k)
        if (context_.prescribed[3 * static_cast<std::size_t>(i) + k]) start_(k, i) = context_.target(k, i);
    // A predictor with inverted tets is no start for models that refuse them.
    potential_.set_contacts(start_, context_.plane_end);
    if (!(potential_.value(start_).total() < std::numeric_limits<double>::infinity())) start_ = context_.start;
  }

  double start_value() const { return potential_.value(start_).total(); }

  struct Result {
    double value = 0, seconds = 0;
    int searches = 0, iterations = 0;
  };
  Result run(FullSpaceDirection& direction, int budget, double armijo_constant, double tolerance = 0) {
    MinimizerSettings minimizer_settings;
    minimizer_settings.tolerance = tolerance;
    minimizer_settings.budget = budget;
    minimizer_settings.line_search.armijo = armijo_constant;
    Minimizer minimizer(minimizer_settings);
    Points x = start_;
    std::vector<PlaneState> planes = context_.plane_end;
    potential_.set_contacts(x, planes);
    direction.begin_step(context_, potential_);
    const Stopwatch watch;
    const MinimizeReport report = minimizer.minimize(potential_, direction, x, planes, [] {});
    direction.end_step();
    return {report.value.total(), watch.seconds(), report.line_search_steps, report.iterations};
  }

 private:
  std::shared_ptr<const System> system_;
  IncrementalPotential potential_;
  StepContext context_;
  Points start_;
};

NewtonDirection newton() {
  return NewtonDirection(std::make_unique<SparseCholesky>());
}

// (E - E*) / (E_0 - E*) [paper, eq. 11].
struct Errors {
  double start, best;
  double operator()(double value) const { return (value - best) / (start - best); }
};

Errors errors_of(OneStep& one) {
  NewtonDirection exact = newton();
  return {one.start_value(), one.run(exact, 0, 1e-4, 1e-12).value};
}

Json compared(const Setting& setting, TetMesh mesh) {
  const std::shared_ptr<const System> system = build(setting, std::move(mesh));
  const State state = moving(system, setting);
  OneStep one(system, state);
  const Errors error = errors_of(one);
  QuasiNewtonDirection ours(system);
  NewtonDirection theirs = newton();
  OneStep::Result ours_ten, single;
  const std::vector<double> seconds =
      shortest_seconds({[&] { ours_ten = one.run(ours, ten, armijo); }, [&] { single = one.run(theirs, 1, 1e-4); }}, 3);
  const auto tets = static_cast<double>(system->tet_count());
  return {{"body", setting.name},
          {"model", setting.model},
          {"vertices", system->dynamic_count},
          {"tets", system->tet_count()},
          {"searches", ours_ten.searches},
          {"ms_10", 1e3 * seconds[0]},
          {"error_10", error(ours_ten.value)},
          {"ms_newton", 1e3 * seconds[1]},
          {"error_newton", error(single.value)},
          {"newton_over_10", seconds[1] / seconds[0]},
          {"ns_a_tet", 1e9 * seconds[0] / (ten * tets)}};
}

struct Variant {
  const char* name;
  QuasiNewtonSetup setup;
};

std::vector<Variant> variants() {
  std::vector<Variant> list;
  const auto add = [&](const char* name, auto&& change) {
    list.push_back({name, {}});
    change(list.back().setup);
  };
  add("history 0", [](QuasiNewtonSetup& s) { s.history = 0; });
  add("history 1", [](QuasiNewtonSetup& s) { s.history = 1; });
  add("history 3", [](QuasiNewtonSetup& s) { s.history = 3; });
  add("history 5", [](QuasiNewtonSetup&) {});
  add("history 10", [](QuasiNewtonSetup& s) { s.history = 10; });
  add("history 100", [](QuasiNewtonSetup& s) { s.history = 100; });
  add("chebyshev 0.9", [](QuasiNewtonSetup& s) { s.acceleration = "chebyshev"; });
  add("chebyshev 0.95", [](QuasiNewtonSetup& s) { s.acceleration = "chebyshev", s.spectral_radius = 0.95; });
  add("identity", [](QuasiNewtonSetup& s) { s.initial = "identity"; });
  add("rest", [](QuasiNewtonSetup& s) { s.initial = "rest"; });
  add("stretches 0.9 1.1", [](QuasiNewtonSetup& s) { s.low = 0.9, s.high = 1.1; });
  add("stretches 0.3 1.7", [](QuasiNewtonSetup& s) { s.low = 0.3, s.high = 1.7; });
  add("stretches 0.5 2.5", [](QuasiNewtonSetup& s) { s.low = 0.5, s.high = 2.5; });
  return list;
}

}  // namespace

BenchResult bench_quasi_newton() {
  BenchResult result;
  Json rows = Json::array();
  for (const Setting& setting : settings) rows.push_back(compared(setting, mesh_of(setting)));
  result["ten against one of newton"] = rows;
  const Setting& bar = settings[4];
  Json table = Json::array();
  for (const Variant& variant : variants()) {
    const std::shared_ptr<const System> system = build(bar, mesh_of(bar), variant.setup);
    OneStep one(system, moving(system, bar));
    const Errors error = errors_of(one);
    Json row = {{"variant", variant.name}};
    for (const int count : {5, 10, 20, 40, 80}) {
      QuasiNewtonDirection direction(system);
      row[fmt::format("error_{}", count)] = error(one.run(direction, count, armijo).value);
    }
    table.push_back(row);
  }
  result["variants on the twisted bar"] = table;
  return result;
}

// The mesh with its longest side along x and 1 m long, held at its left end, thrown and twisted like the built-in ball.
BenchResult bench_quasi_newton_on(const std::string& mesh_file) {
  TetMesh mesh = read_tet_mesh(mesh_file);
  validate(mesh, mesh_file);
  const Vec3 low = mesh.vertices.rowwise().minCoeff(), high = mesh.vertices.rowwise().maxCoeff();
  int longest = 0;
  (high - low).maxCoeff(&longest);
  const Points centred = (mesh.vertices.colwise() - 0.5 * (low + high)) / (high - low)[longest];
  // Axes are turned in a circle: tets keep their orientation.
  for (int k = 0; k < 3; ++k) mesh.vertices.row(k) = centred.row((longest + k) % 3);
  BenchResult rows = Json::array();
  for (const char* model : {"corotated", "neo_hookean"})
    rows.push_back(compared({mesh_file.c_str(), model, true, Vec3::Ones(), {1, 1, 1}, 6, 6}, mesh));
  return rows;
}

}  // namespace sinew
