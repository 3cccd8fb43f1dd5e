// Wind in runs: terminal velocity, methods, edits, refusals.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/control.h"

namespace sinew::wind_runs_test {
namespace {

using ::testing::HasSubstr;

LoadSetup blowing(const Triangles& faces, const Vec3& velocity, const WindSetup& wind = {}) {
  LoadSetup load;
  load.kind = LoadKind::wind;
  load.wind = wind;
  load.vector = velocity;
  load.faces = faces;
  load.name = "air";
  return load;
}

// A flat cloth of 0.5 kg/m^2 in still air.
sinew::Setup falling_cloth(double step) {
  sinew::Setup setup;
  setup.bodies.push_back(test::cloth("sheet", make_sheet({0.4, 0.4}, {4, 4}), test::springs(1e5, 500, 1e-3)));
  setup.bodies[0].loads = {blowing(setup.bodies[0].mesh.triangles, Vec3::Zero())};
  setup.time.step = step;
  setup.contact.enabled = false;
  setup.solver.method = "newton";
  setup.solver.tolerance = 1e-9;
  return setup;
}

// m v' = m g - rho A c v^2 / 2 has v = v_t tanh(g t / v_t), v_t^2 = 2 m g / (rho A c).
TEST(WindRuns, ClothFallsAtItsTerminalVelocity) {
  const double terminal = std::sqrt(2 * 0.5 * 9.81 / (1.2 * 1.2));
  double before = 0;
  for (const double step : {0.02, 0.01}) {
    Simulation simulation(build_system(falling_cloth(step)));
    const int half = static_cast<int>(std::lround(0.3 / step));
    double error = 0;
    for (int s = 1; s <= 100; ++s) {
      EXPECT_TRUE(simulation.step().converged);
      if (s != half) continue;
      const double v = -test::linear_momentum(simulation).y() / (500 * 1e-3 * 0.16);
      error = std::abs(v - terminal * std::tanh(9.81 * simulation.time() / terminal));
    }
    EXPECT_LT(error, 0.3 * step * 9.81);
    if (before > 0) EXPECT_NEAR(before / error, 2, 0.2);  // implicit Euler: first order
    before = error;
  }
  Simulation simulation(build_system(falling_cloth(0.05)));
  for (int s = 0; s < 100; ++s) simulation.step();
  EXPECT_NEAR(-test::linear_momentum(simulation).y() / (500 * 1e-3 * 0.16), terminal, 1e-9 * terminal);
  EXPECT_LT((simulation.state().v.colwise() - Vec3(simulation.state().v.col(0))).cwiseAbs().maxCoeff(), 1e-6);
}

// A soft block that bends in the wind, fixed below.
sinew::Setup block(const std::string& method, Integrator integrator = Integrator::implicit_euler) {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3(0.1, 0.3, 0.1), {2, 6, 2});
  setup.bodies.push_back(test::body("block", mesh, test::material("stable_neo_hookean", 2e4, 0.4)));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[1] < -0.149; });
  setup.bodies[0].fixes = {fix};
  setup.bodies[0].loads = {
      blowing(boundary_triangles(mesh.tets), Vec3(15, 0, 5), {.intensity = 3, .length = 0.2, .time = 0.1})};
  setup.time.integrator = integrator;
  setup.contact.enabled = false;
  setup.solver.method = method;
  setup.solver.subspace = "full";
  setup.solver.tolerance = 1e-8;
  setup.solver.iterations = 0;
  setup.solver.max_iterations = 500;
  return setup;
}

Points run(Simulation& simulation, int steps) {
  for (int s = 0; s < steps; ++s) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.converged) << simulation.system().setup.solver.method << ": " << report.reason;
  }
  return simulation.state().x - simulation.system().rest;
}

TEST(WindRuns, MethodsAgree) {
  for (const Integrator integrator : {Integrator::implicit_euler, Integrator::bdf2, Integrator::newmark}) {
    Simulation newton(build_system(block("newton", integrator)));
    const Points u = run(newton, 10);
    EXPECT_GT(u.cwiseAbs().maxCoeff(), 0.01);
    for (const char* method :
         {"newton-pcg", "newton-multilevel", "multilevel", "quasi_newton", "adaptive", "reduced", "mixed"}) {
      Simulation other(build_system(block(method, integrator)));
      EXPECT_LT((run(other, 10) - u).norm(), 1e-4 * u.norm())
          << method << ", integrator " << static_cast<int>(integrator);
    }
  }
}

// Subspaces of few coordinates feel it at the faces.
TEST(WindRuns, SubspacesBendToo) {
  Simulation newton(build_system(block("newton")));
  const Points u = run(newton, 10);
  for (const char* subspace : {"eigenmodes", "linear"}) {
    sinew::Setup setup = block("reduced");
    setup.solver.subspace = subspace;
    setup.solver.handles = 12;
    setup.solver.cubature_rule = "all";
    Simulation reduced(build_system(std::move(setup)));
    EXPECT_LT((run(reduced, 10) - u).norm(), 0.2 * u.norm()) << subspace;
  }
}

TEST(WindRuns, EditsChangeItAndCheckpointsKeepIt) {
  for (const char* method : {"newton", "reduced"}) {
    auto system = build_system(block(method));
    Simulation first(system);
    first.allow_changes(system);
    first.step();
    first.edit(load_edit(first.system(), 0, PartName("air"), LoadKind::wind, Vec3(-15, 0, 0), 0));
    first.step();
    MemoryArchive saved;
    ArchiveWriter writer(saved);
    first.save(writer);
    first.step();
    auto own = build_system(block(method));
    Simulation second(own);
    second.allow_changes(own);
    second.load(ArchiveReader(saved, "test"));
    second.step();
    EXPECT_EQ(first.state().x, second.state().x) << method;
    EXPECT_LT(first.state().v(0, 0), 1);
    EXPECT_THROW(first.edit(load_edit(first.system(), 0, PartName("air"), LoadKind::force, Vec3(1, 0, 0), 0)),
                 InputError);
  }
}

TEST(WindRuns, StaticsRefuseIt) {
  EXPECT_THAT([] { build_system(block("newton", Integrator::statics)); },
              testing::ThrowsMessage<InputError>(HasSubstr("a wind in statics")));
}

}  // namespace
}  // namespace sinew::wind_runs_test
