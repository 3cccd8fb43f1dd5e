// Gas in cavities, by all methods: its law, a piston on it, and edits of its amount.
#include <cmath>
#include <numbers>

#include "support/cavities.h"
#include "support/run.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/model/control.h"
#include "sinew/potential/gas.h"

namespace sinew::gas_runs_test {
namespace {

using ::testing::HasSubstr;

GasState gas_of(const Simulation& simulation) {
  const System& system = simulation.system();
  return gas_state(system, system.loads[0], simulation.state().x, simulation.time());
}

// A soft hollow box on its bottom, pumped up: 3/2 of the gas at the end.
sinew::Setup pumped_box(const char* method, double exponent) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 3;
  setup.contact.enabled = false;
  setup.solver.method = method;
  setup.solver.subspace = "full";
  setup.solver.tolerance = 1e-9;
  const TetMesh mesh = test::hollow_box(6);
  setup.bodies.push_back(test::body("box", mesh, test::material("stable_neo_hookean", 2e5, 0.4)));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[1] < -0.149; });
  setup.bodies[0].fixes = {fix};
  setup.bodies[0].loads = {test::gas_in(mesh, 0, exponent)};
  setup.bodies[0].loads[0].factor = Keyframes{{0, 1}, MatX{{1, 1.5}}};
  return setup;
}

struct Pumped {
  Points u;
  GasState gas;
  int iterations = 0;
};

Pumped pump(const char* method, double exponent) {
  Simulation simulation(build_system(pumped_box(method, exponent)));
  Pumped result;
  for (int s = 0; s < 3; ++s) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.converged) << method << ": " << report.reason;
    result.iterations += report.newton_iterations;
  }
  result.u = simulation.state().x - simulation.system().rest;
  result.gas = gas_of(simulation);
  return result;
}

TEST(GasRuns, MethodsAgree) {
  for (const double exponent : {1.0, 1.4}) {
    const Pumped newton = pump("newton", exponent);
    EXPECT_GT(newton.u.cwiseAbs().maxCoeff(), 0.002);
    EXPECT_NEAR((newton.gas.pressure + test::air) * std::pow(newton.gas.volume / (1.5e-3), exponent), test::air,
                1e-9 * test::air);
    for (const char* method : {"newton-pcg", "newton-multilevel", "multilevel", "reduced", "mixed"}) {
      const Pumped other = pump(method, exponent);
      EXPECT_LT((other.u - newton.u).norm(), 1e-5 * newton.u.norm()) << method;
      EXPECT_NEAR(other.gas.volume, newton.gas.volume, 1e-6 * newton.gas.volume) << method;
      EXPECT_LE(other.iterations, 45) << method << ", newton " << newton.iterations;
    }
  }
}

TEST(GasRuns, QuasiNewtonConvergesToTheSameState) {
  sinew::Setup setup = pumped_box("quasi_newton", 1);
  setup.solver.iterations = 200;
  Simulation simulation(build_system(std::move(setup)));
  for (int s = 0; s < 3; ++s) simulation.step();
  const Pumped newton = pump("newton", 1);
  EXPECT_LT((simulation.state().x - simulation.system().rest - newton.u).norm(), 1e-3 * newton.u.norm());
}

// A subspace of few modes has the same gas: its volume is that of the faces.
TEST(GasRuns, SubspacesOfModesHoldTheLaw) {
  for (const char* method : {"reduced", "mixed"})
    for (const char* subspace : {"eigenmodes", "linear"}) {
      sinew::Setup setup = pumped_box(method, 1.4);
      setup.solver.subspace = subspace;
      setup.solver.handles = subspace == std::string("linear") ? 12 : 20;
      setup.solver.cubature_rule = "all";
      setup.solver.iterations = 0;
      Simulation simulation(build_system(std::move(setup)));
      int iterations = 0;
      for (int s = 0; s < 3; ++s) {
        const StepReport report = simulation.step();
        EXPECT_TRUE(report.converged) << method << " " << subspace << ": " << report.reason;
        iterations += report.newton_iterations;
      }
      const GasState gas = gas_of(simulation);
      EXPECT_GT(gas.volume, 1.005e-3) << method << " " << subspace;
      EXPECT_NEAR((gas.pressure + test::air) * std::pow(gas.volume / (1.5e-3), 1.4), test::air, 1e-9 * test::air);
      EXPECT_LT(iterations, 40) << method << " " << subspace;
    }
}

// The exact Hessian, term of rank one included: Newton's method squares its error.
TEST(GasRuns, NewtonIsQuadratic) {
  for (const double exponent : {1.0, 1.4}) {
    Simulation simulation(build_system(pumped_box("newton", exponent)));
    for (int s = 0; s < 3; ++s) EXPECT_LE(simulation.step().newton_iterations, 5);
  }
}

// A cover that is pushed in by half: p V stays to rounding.
TEST(GasRuns, CompressionKeepsPressureTimesVolume) {
  sinew::Setup setup = test::gas_piston(1);
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 5;
  const TetMesh& mesh = setup.bodies[0].mesh;
  FixSetup push;
  push.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[1] > 0.04; });
  push.motion.translation = Keyframes{{0, 1}, MatX{{0, 0}, {0, -0.05}, {0, 0}}};
  setup.bodies[0].fixes.insert(setup.bodies[0].fixes.begin(), push);
  Simulation simulation(build_system(std::move(setup)));
  for (int s = 1; s <= 5; ++s) {
    EXPECT_TRUE(simulation.step().converged);
    const GasState gas = gas_of(simulation);
    EXPECT_NEAR(gas.volume, (1 - 0.1 * s) * 1e-3, 1e-12);
    EXPECT_NEAR((gas.pressure + test::air) * gas.volume, test::air * 1e-3, 1e-8 * test::air * 1e-3);
  }
}

// omega^2 = gamma p A^2 / (V m) of a small oscillation, from zeros of the velocity.
TEST(GasRuns, PistonOscillatesWithTheStiffnessOfTheGas) {
  for (const double exponent : {1.0, 1.4})
    for (const char* method : {"newton", "newton-pcg", "reduced"}) {
      sinew::Setup setup = test::gas_piston(exponent);
      setup.solver.method = method;
      setup.solver.subspace = "full";
      setup.solver.cubature_rule = "all";
      setup.solver.iterations = 0;
      setup.time.integrator = Integrator::newmark;
      const double omega = std::sqrt(exponent * test::air * test::piston_area * test::piston_area /
                                     (test::piston_volume * test::piston_mass));
      setup.time.step = 2 * std::numbers::pi / omega / 100;
      setup.bodies[0].velocity = Vec3(0, -1e-3, 0);
      Simulation simulation(build_system(std::move(setup)));
      const auto cover = [&] {
        const System& system = simulation.system();
        double velocity = 0;
        for (Index i = 0; i < system.dynamic_count; ++i)
          if (system.rest(1, i) > 0.04) velocity += system.mass[i] * simulation.state().v(1, i);
        return velocity;
      };
      std::vector<double> zeros;
      double before = cover(), time = 0;
      while (zeros.size() < 4 && simulation.time() < 5 / omega * 2 * std::numbers::pi) {
        const double start = simulation.time();
        EXPECT_TRUE(simulation.step().converged);
        const double now = cover();
        if (now * before < 0) zeros.push_back(start + (simulation.time() - start) * before / (before - now));
        before = now;
        time = simulation.time();
      }
      ASSERT_EQ(zeros.size(), 4u) << method << " " << time;
      const double found = 3 * std::numbers::pi / (zeros[3] - zeros[0]);
      EXPECT_NEAR(found, omega, 2e-3 * omega) << method << " " << exponent;
    }
}

// Along a path of equilibria the gas is pumped up as in load steps.
TEST(GasRuns, ContinuationReachesTheSameState) {
  sinew::Setup setup = pumped_box("newton", 1.4);
  setup.time.continuation.emplace();
  setup.time.steps = 100;
  Simulation simulation(build_system(std::move(setup)));
  while (!simulation.path_ended()) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.converged) << report.reason;
  }
  const Pumped newton = pump("newton", 1.4);
  EXPECT_LT((simulation.state().x - simulation.system().rest - newton.u).norm(), 1e-5 * newton.u.norm());
}

TEST(GasRuns, AmountCanBeSetBetweenSteps) {
  for (const char* method : {"newton", "reduced"}) {
    sinew::Setup setup = pumped_box(method, 1);
    setup.solver.cubature_rule = "all";
    const std::shared_ptr<System> system = build_system(std::move(setup));
    Simulation simulation(system);
    simulation.allow_changes(system);
    simulation.step();
    simulation.edit(load_edit(simulation.system(), 0, PartName(0), LoadKind::gas, Vec3::Zero(), 1.2));
    EXPECT_TRUE(simulation.step().converged);
    const GasState gas = gas_of(simulation);
    EXPECT_EQ(gas.amount, 1.2);
    EXPECT_NEAR((gas.pressure + test::air) * gas.volume, 1.2 * test::air * 1e-3, 1e-9 * test::air * 1e-3);
    EXPECT_GT(gas.volume, 1.001e-3) << method;
    EXPECT_THROW(simulation.edit(load_edit(simulation.system(), 0, PartName(0), LoadKind::gas, Vec3::Zero(), 0)),
                 InputError);
    EXPECT_THROW(simulation.edit(load_edit(simulation.system(), 0, PartName(0), LoadKind::pressure, Vec3::Zero(), 5)),
                 InputError);
  }
}

TEST(GasRuns, MethodsWithoutGasSaySo) {
  const auto refusal = [](sinew::Setup setup) -> std::string {
    try {
      Simulation simulation(build_system(std::move(setup)));
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(refusal(pumped_box("adaptive", 1)), HasSubstr("\"adaptive\" does not support gas"));
  sinew::Setup printed = pumped_box("multilevel", 1);
  printed.solver.multilevel.printed.emplace();
  EXPECT_THAT(refusal(std::move(printed)), HasSubstr("multilevel.printed"));
}

}  // namespace
}  // namespace sinew::gas_runs_test
