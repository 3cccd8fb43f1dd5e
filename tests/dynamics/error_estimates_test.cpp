// Errors of steps in subspaces: what is estimated, and what is accepted, beside the distance from full space.
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "support/bodies.h"
#include "support/run.h"

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
  constexpr int steps = 10;
  for (const Shape& shape : shapes()) {
    for (const double young : {1e4, 1e6, 1e8, 1e10}) {
      for (const double load : {0.01, 1.0}) {
        const Points newton = displaced(bending(shape, young, "newton", load), steps);
        Simulation simulation(build_system(bending(shape, young, "adaptive", load)));
        long refusals = 0, asked = 0, modes = 0, iterations = 0, cg = 0;
        double motion = 0, share = 0;
        test::run_checked(simulation, steps, [&](const StepReport& r) {
          ASSERT_TRUE(r.error);
          motion += r.error->motion;
          refusals += r.adaptive->refusals;
          asked += r.adaptive->asked_vertices;
          modes += r.adaptive->asked_handles;
          iterations += r.newton_iterations;
          cg += r.linear_iterations;
          share = r.adaptive->share;
        });
        const Points adaptive = positions(simulation) - simulation.system().rest;
        const double error = mean_length(adaptive - newton);
        if (std::getenv("SHOW"))
          std::printf(
              "%s %g load %g: error %.3g of way %.3g (%.3g), moved %.3g; refusals %ld vertices %ld (%.2f) "
              "modes %ld iterations %ld cg %ld\n",
              shape.name, young, load, error / motion, mean_length(newton), error / mean_length(newton), motion,
              refusals, asked, share, modes, iterations, cg);
        EXPECT_LT(error, 2 * 0.02 * motion) << shape.name << ' ' << young << ' ' << load;
      }
    }
  }
}

}  // namespace
}  // namespace sinew
