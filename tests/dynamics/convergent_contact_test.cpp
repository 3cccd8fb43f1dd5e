// Convergent contact does not know how two meshes lie on each other.
#include <array>
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/quality.h"

namespace sinew::convergent_contact_test {

// A block of 1 m, whose inner vertices a swirl turns and a bump shifts.
struct Grid {
  int cells;
  double turn = 0, shift = 0;
};

TetMesh block(const Grid& grid) {
  TetMesh mesh = make_box(Vec3::Ones(), {grid.cells, std::max(2, grid.cells / 2), grid.cells});
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    const double x = mesh.vertices(0, v), z = mesh.vertices(2, v);
    const double angle = grid.turn * (1 - std::pow(2 * std::max(std::abs(x), std::abs(z)), 4));
    const double bump = grid.shift / grid.cells * (1 - 4 * x * x) * (1 - 4 * z * z);
    mesh.vertices(0, v) = std::cos(angle) * x - std::sin(angle) * z + bump;
    mesh.vertices(2, v) = std::sin(angle) * x + std::cos(angle) * z + 0.6 * bump;
  }
  return mesh;
}

// Two blocks in a frictionless shaft, the upper one pressed down.
sinew::Setup pressed(const Grid& lower, const Grid& upper, double strain, const char* method) {
  constexpr double gap = 2e-3;
  sinew::Setup setup;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 2;
  setup.gravity.setZero();
  setup.contact.model = ContactKind::convergent;
  setup.contact.self = false;
  setup.contact.distance = 1.7e-3;
  setup.solver.method = method;
  setup.solver.multilevel.cache = false;
  const auto rubber = test::material("neo_hookean", 1e6, 0.3);
  setup.bodies.push_back(test::body("lower", block(lower), rubber, Vec3(0, -0.5, 0)));
  setup.bodies.push_back(test::body("upper", block(upper), rubber, Vec3(0, 0.5 + gap, 0)));
  for (BodySetup& body : setup.bodies) {
    for (const int axis : {0, 2}) {
      FixSetup side;
      side.vertices =
          test::select_vertices(body.mesh, [&](const Vec3& x) { return std::abs(std::abs(x[axis]) - 0.5) < 1e-9; });
      side.axes = {axis == 0, false, axis == 2};
      body.fixes.push_back(side);
    }
  }
  FixSetup bottom, top;
  bottom.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[1] < -1 + 1e-9; });
  top.vertices = test::select_vertices(setup.bodies[1].mesh, [](const Vec3& x) { return x[1] > 1 + gap - 1e-9; });
  top.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << Vec3::Zero(), Vec3(0, -2 * strain - gap, 0)).finished()};
  setup.bodies[0].fixes.push_back(bottom);
  setup.bodies[1].fixes.push_back(top);
  return setup;
}

struct Pressure {
  double spread = 0;      // largest difference from the mean, over the mean
  double tangential = 0;  // largest tangential force on a vertex, over the mean normal force
};

// Forces of vertices on the two faces over their consistent areas.
Pressure pressure(const Simulation& simulation) {
  const System& system = simulation.system();
  const CollisionMesh& mesh = system.collision;
  const Points force = system.forces_on_shown(simulation.forces().contact);
  Pressure result;
  for (Index body = 0; body < 2; ++body) {
    const double face = body == 0 ? 0 : 2e-3;
    std::vector<double> area(system.dynamic_count, 0);
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
      const auto on_face = [&](Index v) {
        return system.vertex_body[v] == body && std::abs(system.rest(1, v) - face) < 1e-9;
      };
      const auto corners = mesh.triangles.col(t);
      if (!on_face(corners[0]) || !on_face(corners[1]) || !on_face(corners[2])) continue;
      for (const Index v : corners) area[v] += triangle_area(system.rest, mesh.triangles, t) / 3;
    }
    double total = 0, count = 0;
    for (Index v = 0; v < system.dynamic_count; ++v) {
      if (area[v] == 0) continue;
      total += std::abs(force(1, v));
      ++count;
    }
    for (Index v = 0; v < system.dynamic_count; ++v) {
      if (area[v] == 0) continue;
      result.spread = std::max(result.spread, std::abs(std::abs(force(1, v)) / area[v] / total - 1));
      result.tangential = std::max(result.tangential, std::hypot(force(0, v), force(2, v)) / (total / count));
    }
  }
  return result;
}

struct Patch {
  const char* name;
  Grid lower, upper;
  double bound;  // of the spread
};
void PrintTo(const Patch& patch, std::ostream* out) {
  *out << patch.name;
}

class PatchOfContact : public testing::TestWithParam<Patch> {};

// Sixteen samples in a triangle see the hat functions of a mesh of their size within 1 %; of a matching mesh
// exactly, up to the tolerance of the load steps.
TEST_P(PatchOfContact, HasUniformPressure) {
  for (const double strain : {1e-5, 0.02, 0.2}) {
    Simulation simulation(build_system(pressed(GetParam().lower, GetParam().upper, strain, "newton")));
    test::run_checked(simulation, 2);
    const Pressure found = pressure(simulation);
    // Under hardly any load, the bodies' stiffness is far above that of contact and smooths nothing.
    EXPECT_LE(found.spread, (strain < 1e-3 ? 2 : 1) * GetParam().bound) << strain;
    EXPECT_LE(found.tangential, 1e-3) << strain;
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, PatchOfContact,
                         testing::Values(Patch{"matching", {4}, {4}, 1e-3}, Patch{"nested", {2}, {6}, 0.01},
                                         Patch{"nested_below", {6}, {2}, 0.01},
                                         Patch{"shifted", {4}, {4, 0, 0.5}, 0.01}, Patch{"turned", {8}, {8, 0.3}, 0.01},
                                         Patch{"turned_and_finer", {7}, {8, 0.3}, 0.01}),
                         [](const auto& info) { return std::string(info.param.name); });

// The barrier between vertices, edges and triangles fails the same test by far: it can fail.
TEST(ConvergentContact, TheOtherBarrierKnowsTheMesh) {
  sinew::Setup setup = pressed({2}, {6}, 0.02, "newton");
  setup.contact.model = ContactKind::barrier;
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 2);
  EXPECT_GT(pressure(simulation).spread, 0.05);
}

TEST(ConvergentContact, AllMethodsOfFullSpaceAgree) {
  Simulation reference(build_system(pressed({4}, {5, 0.3}, 0.02, "newton")));
  test::run_checked(reference, 2);
  for (const char* method : {"newton-pcg", "newton-multilevel", "multilevel", "adaptive"}) {
    SCOPED_TRACE(method);
    Simulation simulation(build_system(pressed({4}, {5, 0.3}, 0.02, method)));
    test::run_checked(simulation, 2);
    EXPECT_LE((simulation.state().x - reference.state().x).cwiseAbs().maxCoeff(), 4e-6);  // two tolerances
  }
}

TEST(ConvergentContact, ReducedMethodsRefuseIt) {
  for (const char* method : {"reduced", "mixed"}) {
    sinew::Setup setup = pressed({2}, {2}, 0.02, method);
    try {
      Simulation simulation(build_system(std::move(setup)));
      ADD_FAILURE() << method;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("contact.model: found \"convergent\""), std::string::npos);
    }
  }
}

// Equal boxes whose vertices lie on vertices, without friction: nothing moves sideways, for any method.
TEST(ConvergentContact, StacksStandStill) {
  for (const char* method : {"newton", "multilevel"}) {
    SCOPED_TRACE(method);
    sinew::Setup setup;
    setup.contact.model = ContactKind::convergent;
    setup.solver.method = method;
    setup.solver.multilevel.cache = false;
    for (int k = 0; k < 4; ++k)
      setup.bodies.push_back(test::body("card " + std::to_string(k), make_box(Vec3(0.09, 0.001, 0.06), {6, 1, 4}),
                                        test::material("neo_hookean", 1e8, 0.3), Vec3(0, 0.0012 * k, 0)));
    setup.bodies[0].fixes.emplace_back().vertices =
        test::select_vertices(setup.bodies[0].mesh, [](const Vec3&) { return true; });
    const auto system = build_system(std::move(setup));
    Simulation simulation(system);
    test::run_checked(simulation, 100);
    for (Index body = 1; body < 4; ++body) {
      Vec3 mean = Vec3::Zero();
      double count = 0;
      for (Index v = 0; v < system->dynamic_count; ++v) {
        if (system->vertex_body[v] != body) continue;
        mean += simulation.state().x.col(v) - system->rest.col(v);
        ++count;
      }
      EXPECT_LE(std::hypot(mean[0], mean[2]) / count, 1e-7);
    }
  }
}

// A corner lands on a face where no sample is near: the barrier between vertices and triangles holds it.
TEST(ConvergentContact, CornersAndEdgesAreHeld) {
  sinew::Setup setup;
  setup.contact.model = ContactKind::convergent;
  TetMesh cube = make_box(Vec3::Constant(0.1), {2, 2, 2});
  cube.vertices = Eigen::AngleAxisd(0.9553, Vec3(1, 0, -1).normalized()).toRotationMatrix() * cube.vertices;
  setup.bodies.push_back(test::body("floor", make_box(Vec3(0.4, 0.1, 0.4), {3, 1, 3}),
                                    test::material("neo_hookean", 1e6, 0.3), Vec3(0, -0.051, 0)));
  setup.bodies[0].fixes.emplace_back().vertices =
      test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[1] < -0.1; });
  setup.bodies.push_back(test::body("cube", cube, test::material("neo_hookean", 1e5, 0.3), Vec3(0.013, 0.09, 0.02)));
  setup.bodies[1].velocity = Vec3(0, -1, 0);
  Simulation simulation(build_system(std::move(setup)));
  long contacts = 0;
  test::run_checked(simulation, 40, [&](const StepReport& report) { contacts = std::max(contacts, report.contacts); });
  EXPECT_GT(contacts, 0);
}

}  // namespace sinew::convergent_contact_test
