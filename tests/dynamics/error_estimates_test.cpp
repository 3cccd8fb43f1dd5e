// Errors of steps in subspaces: what is estimated, and what is accepted, beside the distance from full space.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/bodies.h"
#include "support/run.h"

#include "sinew/dynamics/full_space_error.h"

namespace sinew {
namespace {

double mean_length(const Points& u) {
  return u.colwise().norm().mean();
}

Points positions(const Simulation& simulation) {
  return simulation.state().x.leftCols(simulation.system().dynamic_count);
}

// Slender bodies of size 1 m, held at one end. What bends them is a body force, which `load` [m/s^2] gives at Young's
// modulus 1 MPa.
struct Shape {
  const char* name;
  TetMesh mesh;
  std::vector<Index> held;
  double load;
};

// A bar of size (s, y, z), held at s = 0 and bent so that its point (s, y, z) is at place(s, y, z).
template <class Place>
Shape bent(const char* name, const Vec3& size, std::array<Index, 3> cells, double load, Place&& place) {
  Shape shape{name, make_box(size, cells), {}, load};
  shape.mesh.vertices.row(0).array() += 0.5 * size.x();
  shape.held = test::select_vertices(shape.mesh, [](const Vec3& p) { return p.x() < 1e-9; });
  for (auto column : shape.mesh.vertices.colwise()) column = place(column.x(), column.y(), column.z());
  return shape;
}

std::vector<Shape> shapes() {
  const auto straight = [](double s, double y, double z) { return Vec3(s, y, z); };
  // A tube with a slit along its length.
  const auto tube = [](double s, double y, double z) {
    const double angle = 6.0 * s, r = 0.16 + y;
    return Vec3(-r * std::cos(angle), r * std::sin(angle), z);
  };
  const auto coil = [](double s, double y, double z) {
    const double angle = 2 * std::numbers::pi * s, r = 0.15 + y;
    return Vec3(-r * std::cos(angle), r * std::sin(angle), 0.2 * s + z);
  };
  return {bent("bar", Vec3(1, 0.05, 0.05), {24, 2, 2}, 2, straight),
          bent("plate", Vec3(1, 0.02, 0.5), {20, 2, 8}, 0.3, straight),
          bent("tube", Vec3(1, 0.02, 0.3), {24, 2, 4}, 2, tube),
          bent("spring", Vec3(4, 0.03, 0.03), {64, 2, 2}, 1.5, coil)};
}

sinew::Setup bending(const Shape& shape, double young, const char* method, double load) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.contact.enabled = false;
  setup.gravity = Vec3(0, -load * shape.load * young / 1e6, 0);
  setup.solver.method = method;
  setup.solver.multilevel.cache = false;
  setup.bodies.push_back(test::body(shape.name, shape.mesh, test::material("neo_hookean", young, 0.4)));
  FixSetup held;
  held.vertices = shape.held;
  setup.bodies[0].fixes = {held};
  return setup;
}

// The displacement after some steps from rest.
Points displaced(sinew::Setup setup, int steps) {
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, steps);
  return positions(simulation) - simulation.system().rest.leftCols(simulation.system().dynamic_count);
}

TEST(ErrorEstimates, AdaptiveBendsWhatBends) {
  constexpr int steps = 6;
  for (const Shape& shape : shapes()) {
    for (const double young : {1e4, 1e7, 1e10}) {
      for (const double load : {0.01, 1.0}) {
        const Points newton = displaced(bending(shape, young, "newton", load), steps);
        Simulation simulation(build_system(bending(shape, young, "adaptive", load)));
        double motion = 0;
        test::run_checked(simulation, steps, [&](const StepReport& report) {
          ASSERT_TRUE(report.error);
          motion += report.error->motion;
        });
        const Points adaptive = positions(simulation) - simulation.system().rest;
        const double error = mean_length(adaptive - newton);
        // Steps end at the tolerance, too.
        const double end = simulation.system().setup.solver.tolerance * simulation.system().setup.time.step;
        EXPECT_LT(error, std::max(2 * 0.02 * motion, end)) << shape.name << ' ' << young << ' ' << load;
      }
    }
  }
}

// A step of newton, held tight, from the state at which a step of another method began.
Points solution(sinew::Setup setup, const State& before) {
  setup.solver.method = "newton";
  setup.solver.tolerance = 1e-9;
  Simulation newton(build_system(std::move(setup)));
  newton.replace(before);
  EXPECT_TRUE(newton.step().converged);
  return positions(newton);
}

// The estimates of `steps` steps over the true distances from the full-space solutions, smallest and largest.
struct Ratios {
  double least = 1e300, most = 0;
};
Ratios ratios(const sinew::Setup& setup, int steps) {
  Simulation simulation(build_system(setup));
  Ratios ratios;
  for (int step = 0; step < steps; ++step) {
    const State before = simulation.state();
    StepReport report = simulation.step();
    if (!report.error) report.error = simulation.error(report);
    EXPECT_TRUE(report.error);
    if (!report.error) break;
    const double error = mean_length(positions(simulation) - solution(setup, before));
    EXPECT_NEAR(report.error->motion,
                mean_length(positions(simulation) - before.x.leftCols(simulation.system().dynamic_count)), 1e-12);
    if (error < std::max(1e-7, 2e-3 * report.error->motion)) continue;  // what nobody asks for
    ratios.least = std::min(ratios.least, report.error->estimate / error);
    ratios.most = std::max(ratios.most, report.error->estimate / error);
  }
  return ratios;
}

// A soft block with a stiff half, which falls on the floor.
sinew::Setup falling_block(const char* method, double contrast) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.contact.distance = 2e-3;
  setup.solver.method = method;
  const TetMesh mesh = make_box(Vec3(0.3, 0.2, 0.1), {6, 4, 2});
  BodySetup block = test::body("block", mesh, test::material("neo_hookean", 2e4, 0.4, 1000, "soft"), Vec3(0, 0.103, 0));
  block.materials.push_back(test::material("neo_hookean", contrast * 2e4, 0.4, 1000, "stiff"));
  for (Index t = 0; t < mesh.tet_count(); ++t)
    block.materials[mesh.vertices(Eigen::all, mesh.tets.col(t)).row(0).sum() > 0 ? 1 : 0].tets.push_back(t);
  block.velocity = Vec3(0.3, -1, 0);
  setup.bodies.push_back(std::move(block));
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

// An estimate is at least half the error, and no more than some times the error where a step ends as it is. Steps of
// adaptive take one more full-space step after the estimate.
TEST(ErrorEstimates, AreAboutTheErrors) {
  for (const char* method : {"reduced", "mixed", "adaptive"}) {
    const bool ends_as_it_is = std::string(method) != "adaptive";
    const auto check = [&](const char* name, sinew::Setup setup) {
      SCOPED_TRACE(std::string(method) + ' ' + name);
      setup.solver.error_every = 1;
      if (ends_as_it_is) setup.solver.handles = 6;
      const Ratios found = ratios(setup, 3);
      EXPECT_GT(found.least, 0.5);
      if (ends_as_it_is) {
        EXPECT_LT(found.most, 20);
      }
    };
    for (const Shape& shape : shapes())
      for (const double young : {1e5, 1e9}) check(shape.name, bending(shape, young, method, 0.3));
    for (const double contrast : {1.0, 1e4}) check("falling block", falling_block(method, contrast));
  }
}

// Which rows have an estimate.
TEST(ErrorEstimates, RowsAreChosen) {
  SolverSetup solver;
  const auto rows = [&](int every, bool cheap) {
    solver.error_every = every;
    std::vector<int> wanted;
    for (int step = 1; step <= 21; ++step)
      if (wants_error(solver, step, cheap)) wanted.push_back(step);
    return wanted;
  };
  EXPECT_EQ(rows(-1, true).size(), 21u);
  EXPECT_EQ(rows(-1, false), (std::vector<int>{1, 10, 20}));
  EXPECT_EQ(rows(7, true), (std::vector<int>{1, 7, 14, 21}));
  EXPECT_TRUE(rows(0, true).empty());
}

}  // namespace
}  // namespace sinew
