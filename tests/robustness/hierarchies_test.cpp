// The multilevel method where its hierarchy is at its limits: the same motion as with newton, and what must hold after
// every step.
#include <cmath>
#include <random>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

struct Variant {
  const char* name;
  void (*set)(SolverSetup&);
};

struct Scene {
  const char* name;
  Setup (*make)();
  int steps;
};

void PrintTo(const Scene& scene, std::ostream* out) {
  *out << scene.name;
}
void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

constexpr double tolerance = 1e-6;

Setup base(int handles) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.contact.distance = 1e-3;
  setup.contact.friction = 0.2;
  setup.contact.friction_iterations = 1;  // the printed method converges too slowly for rounds of lagging
  setup.solver.tolerance = tolerance;
  setup.time.substeps = 0;  // methods are compared over the same steps
  setup.solver.handles = handles;
  setup.solver.multilevel.cache = false;
  return setup;
}

MaterialAssignment rubber(double young = 1e5) {
  return test::material("neo_hookean", young, 0.4);
}

TetMesh single_tet(double size) {
  TetMesh mesh;
  mesh.vertices.resize(3, 4);
  mesh.vertices << 0, size, 0, 0, 0, 0, size, 0, 0, 0, 0, size;
  mesh.tets.resize(4, 1);
  mesh.tets << 0, 1, 2, 3;
  mesh.regions = {0};
  return mesh;
}

// `more` becomes a component of its own.
void append(TetMesh& mesh, const TetMesh& more, const Vec3& offset) {
  const Index vertices = mesh.vertex_count(), tets = mesh.tet_count();
  mesh.vertices.conservativeResize(3, vertices + more.vertex_count());
  mesh.vertices.rightCols(more.vertex_count()) = more.vertices.colwise() + offset;
  mesh.tets.conservativeResize(4, tets + more.tet_count());
  mesh.tets.rightCols(more.tet_count()) = more.tets.array() + vertices;
  mesh.regions.insert(mesh.regions.end(), more.regions.begin(), more.regions.end());
}

FixSetup hold(const TetMesh& mesh, double x_below) {
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [&](const Vec3& p) { return p.x() <= x_below + 1e-9; });
  return fix;
}

// A bar 0.4 m long, its left end held.
Setup bar(int handles) {
  sinew::Setup setup = base(handles);
  setup.bodies.push_back(test::body("bar", make_box(Vec3(0.4, 0.1, 0.1), {8, 2, 2}), rubber()));
  setup.bodies[0].fixes = {hold(setup.bodies[0].mesh, -0.2)};
  return setup;
}

Setup one_handle() {
  sinew::Setup setup = base(1);
  setup.bodies.push_back(test::body("ball", make_sphere(0.05, 0.03), rubber(), Vec3(0, 0.053, 0)));
  setup.bodies[0].velocity = Vec3(0.2, -1, 0);
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
Setup fewer_vertices_than_handles() {
  sinew::Setup setup = base(60);
  for (int b = 0; b < 2; ++b)
    setup.bodies.push_back(test::body("cube" + std::to_string(b), make_box(Vec3::Constant(0.1), {1, 1, 1}), rubber(),
                                      Vec3(0.01 * b, 0.053 + 0.11 * b, 0)));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
Setup tet() {
  sinew::Setup setup = base(1);
  setup.bodies.push_back(test::body("tet", single_tet(0.1), rubber(), Vec3(0, 3e-3, 0)));
  setup.bodies[0].velocity = Vec3(0, -1, 0);
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
// Two of its corners can still move, one of them along y alone.
Setup held_tet() {
  sinew::Setup setup = base(1);
  setup.bodies.push_back(test::body("tet", single_tet(0.1), rubber()));
  FixSetup fixed, sliding;
  fixed.vertices = {0, 1};
  sliding.vertices = {2};
  sliding.axes = {true, false, true};
  setup.bodies[0].fixes = {fixed, sliding};
  return setup;
}
// Single tets that fall on the floor beside each other, and a cube.
Setup crowd(int bodies) {
  sinew::Setup setup = base(1);
  const int side = static_cast<int>(std::ceil(std::sqrt(bodies)));
  for (int b = 0; b < bodies; ++b)
    setup.bodies.push_back(test::body("tet" + std::to_string(b), single_tet(0.01), rubber(1e5 * (1 + b % 3)),
                                      Vec3(0.015 * (b % side), 1.2e-3 + 1e-5 * (b % 7), 0.015 * (b / side))));
  setup.bodies.push_back(test::body("cube", make_box(Vec3::Constant(0.05), {3, 3, 3}), rubber(), Vec3(-0.05, 0.03, 0)));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
Setup many_bodies() {
  return crowd(80);
}
Setup twenty_materials() {
  sinew::Setup setup = base(12);
  const TetMesh mesh = make_box(Vec3(0.8, 0.1, 0.1), {20, 2, 2});
  setup.bodies.push_back(test::body("bar", mesh, rubber()));
  setup.bodies[0].materials.clear();
  for (int m = 0; m < 20; ++m) {
    MaterialAssignment slab =
        test::material(m % 2 ? "neo_hookean" : "stable_neo_hookean", 2e4 * std::pow(1.6, (7 * m) % 20), 0.2 + 0.01 * m,
                       800 + 20 * m, "slab" + std::to_string(m));
    for (Index t = 0; t < mesh.tet_count(); ++t) {
      const double x = mesh.vertices(Eigen::all, mesh.tets.col(t)).row(0).mean();
      if (static_cast<int>((x + 0.4) / 0.04) == m) slab.tets.push_back(t);
    }
    setup.bodies[0].materials.push_back(slab);
  }
  setup.bodies[0].fixes = {hold(mesh, -0.4)};
  return setup;
}
// Young's modulus of every tet at random between 1e3 and 1e9 Pa.
Setup random_stiffness() {
  sinew::Setup setup = bar(10);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(3, 9);
  UserParameters parameters{{"young", {}}, {"poisson", {0.3}}};
  for (Index t = 0; t < setup.bodies[0].mesh.tet_count(); ++t)
    parameters["young"].push_back(std::pow(10, exponent(random)));
  MaterialAssignment& material = setup.bodies[0].materials[0];
  material.parameters = material.model->resolve(parameters);
  return setup;
}
Setup disconnected() {
  sinew::Setup setup = base(7);
  TetMesh mesh = make_box(Vec3(0.2, 0.1, 0.1), {4, 2, 2});
  append(mesh, make_box(Vec3::Constant(0.1), {2, 2, 2}), Vec3(0.3, 0, 0));
  for (int i = 0; i < 5; ++i) append(mesh, single_tet(0.02), Vec3(-0.15 - 0.03 * i, -0.05, 0));
  setup.bodies.push_back(test::body("pieces", mesh, rubber(), Vec3(0, 0.052, 0)));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}
Setup all_fixed() {
  sinew::Setup setup = one_handle();
  setup.solver.handles = 5;
  setup.obstacles.clear();
  setup.bodies.push_back(test::body("table", make_box(Vec3(0.2, 0.1, 0.2), {2, 1, 2}), rubber(), Vec3(0, -0.05, 0)));
  setup.bodies[1].fixes = {hold(setup.bodies[1].mesh, 1)};
  return setup;
}
Setup nothing_free() {
  sinew::Setup setup = bar(4);
  setup.bodies[0].fixes = {hold(setup.bodies[0].mesh, 1)};
  setup.bodies[0].fixes[0].motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << 0, 1, 0, 0, 0, 0).finished()};
  return setup;
}
Setup some_axes() {
  sinew::Setup setup = bar(6);
  setup.bodies[0].fixes[0].axes = {true, false, true};
  FixSetup middle;
  middle.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& p) { return std::abs(p.x()) < 1e-6; });
  middle.axes = {false, true, false};
  setup.bodies[0].fixes.push_back(middle);
  return setup;
}
// Held at both ends, then at one, then at none; the bases change with it.
Setup released() {
  sinew::Setup setup = bar(6);
  setup.bodies[0].fixes[0].until = 0.085;
  FixSetup right;
  right.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& p) { return p.x() > 0.199; });
  right.until = 0.045;
  setup.bodies[0].fixes.push_back(right);
  return setup;
}
Setup turned() {
  sinew::Setup setup = bar(6);
  Motion::Rotation rotation;
  rotation.axis = Vec3::UnitX();
  rotation.degrees.times = {0, 0.1};
  rotation.degrees.values = Eigen::RowVector2d(0, 120);
  setup.bodies[0].fixes[0].motion.rotation = rotation;
  setup.bodies[0].fixes[0].motion.translation = Keyframes{{0, 0.1}, (MatX(3, 2) << 0, -0.1, 0, 0.05, 0, 0).finished()};
  return setup;
}
Setup sprung() {
  sinew::Setup setup = bar(4);
  setup.bodies[0].fixes.clear();
  setup.bodies.push_back(test::body("tet", single_tet(0.1), rubber(), Vec3(0, -0.3, 0)));
  SpringSetup hook, link;
  hook.vertices = {0, 5};
  hook.point = Vec3(-0.2, 0.3, 0);
  hook.stiffness = 500;
  hook.length = 0.1;
  link.vertices = {3};
  link.other_body = 1;
  link.other_vertices = {0, 1, 2};
  link.stiffness = 1e5;
  setup.bodies[0].springs = {hook, link};
  return setup;
}
Setup at_rest() {
  sinew::Setup setup = bar(6);
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 4;
  setup.solver.tolerance = 1e-8;
  return setup;
}
// In equilibrium by springs and the floor alone.
Setup hung_at_rest() {
  sinew::Setup setup = at_rest();
  setup.bodies[0].fixes.clear();
  setup.obstacles.push_back(test::floor_plane(-0.051));
  SpringSetup corners;
  for (Index i = 0; i < setup.bodies[0].mesh.vertex_count(); i += 7) {
    SpringSetup spring;
    spring.vertices = {i};
    spring.point = setup.bodies[0].mesh.vertices.col(i) + Vec3(0, 0.01, 0);
    spring.stiffness = 20;
    setup.bodies[0].springs.push_back(spring);
  }
  return setup;
}

const Scene scenes[] = {
    {"one_handle", one_handle, 12},
    {"fewer_vertices_than_handles", fewer_vertices_than_handles, 12},
    {"tet", tet, 12},
    {"held_tet", held_tet, 12},
    {"many_bodies", many_bodies, 5},
    {"twenty_materials", twenty_materials, 8},
    {"random_stiffness", random_stiffness, 8},
    {"disconnected", disconnected, 8},
    {"all_fixed", all_fixed, 12},
    {"nothing_free", nothing_free, 3},
    {"some_axes", some_axes, 8},
    {"released", released, 12},
    {"turned", turned, 10},
    {"sprung", sprung, 10},
    {"at_rest", at_rest, 4},
    {"hung_at_rest", hung_at_rest, 4},
};

const Variant variants[] = {
    {"default", [](SolverSetup&) {}},
    {"printed", [](SolverSetup& s) { s.multilevel.printed = PrintedSetup{.stop_by_subspace = false}; }},
    {"factored",
     [](SolverSetup& s) {
       s.multilevel.printed =
           PrintedSetup{.factorize = true, .cubature_hessian = false, .lag = 0, .stop_by_subspace = false};
     }},
};

// The state after all steps by newton, the same for all variants.
const State& by_newton(const Scene& scene) {
  static std::map<std::string, State> known;
  const auto found = known.find(scene.name);
  if (found != known.end()) return found->second;
  Simulation simulation(build_system(scene.make()));
  test::run_checked(simulation, scene.steps);
  return known.emplace(scene.name, simulation.state()).first->second;
}

class Hierarchies : public ::testing::TestWithParam<std::tuple<Scene, Variant>> {};

TEST_P(Hierarchies, MoveAsWithNewton) {
  const auto& [scene, variant] = GetParam();
  sinew::Setup setup = scene.make();
  setup.solver.method = "multilevel";
  setup.solver.max_iterations = 1000;
  variant.set(setup.solver);
  Simulation simulation(build_system(std::move(setup)));
  int iterations = 0;
  test::run_checked(simulation, scene.steps, [&](const StepReport& r) { iterations += r.newton_iterations; });
  const System& system = simulation.system();
  const double h = system.setup.time.integrator == Integrator::statics ? 1 : system.setup.time.step;
  const double difference = (simulation.state().x - by_newton(scene).x).cwiseAbs().maxCoeff();
  RecordProperty("iterations", iterations);
  std::printf("%s %s: %d iterations, differs by %.3g steps of the tolerance\n", scene.name, variant.name, iterations,
              difference / (h * system.setup.solver.tolerance));
  // Each step leaves about the tolerance, which contacts and friction make grow.
  EXPECT_LT(difference, 100 * scene.steps * h * system.setup.solver.tolerance);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Hierarchies,
                         ::testing::Combine(::testing::ValuesIn(scenes), ::testing::ValuesIn(variants)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param).name;
                         });

// Two thousand bodies are as many handles; nothing may cost bodies times vertices.
TEST(Hierarchies, TwoThousandBodies) {
  sinew::Setup setup = crowd(2000);
  setup.solver.method = "multilevel";
  setup.solver.tolerance = 1e-3;
  Simulation simulation(build_system(std::move(setup)));
  long contacts = 0;
  test::run_checked(simulation, 3, [&](const StepReport& report) { contacts = report.contacts; });
  EXPECT_GT(contacts, 2000);
}

// A body that nothing holds has no static equilibrium: the same words as with newton.
TEST(Hierarchies, AFreeBodyInStaticsIsNamed) {
  std::string messages[2];
  for (const char* method : {"newton", "multilevel"}) {
    sinew::Setup setup = at_rest();
    setup.bodies[0].fixes.clear();
    setup.solver.method = method;
    Simulation simulation(build_system(std::move(setup)));
    try {
      simulation.step();
    } catch (const SimulationError& error) {
      messages[method[0] == 'm'] = error.what();
    }
  }
  EXPECT_NE(messages[0], "");
  EXPECT_EQ(messages[0], messages[1]);
}

}  // namespace
}  // namespace sinew
