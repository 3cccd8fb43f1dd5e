// Newmark's rule with contact: contact takes energy and never gives any, whatever the step.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

double energy(Simulation& simulation) {
  const Energies e = simulation.energies();
  return e.kinetic + e.elastic + e.gravity + e.barrier + e.springs;
}

// Neo-Hookean elasticity is not linear, for which alone the rule keeps the energy exactly: its own gain over the same
// time without contact is a tenth of this and less.
constexpr double allowed_gain = 0.01;  // of the energy that can move

struct Drop {
  double step = 0.01;
  double beta = 0.25, gamma = 0.5;
  bool ball = false;
  double mu = 0;
  const char* method = "newton";
};

class Drops : public ::testing::TestWithParam<Drop> {};

TEST_P(Drops, NeverGainEnergy) {
  const Drop drop = GetParam();
  sinew::Setup setup;
  setup.time.step = drop.step;
  setup.time.integrator = Integrator::newmark;
  setup.time.newmark_beta = drop.beta;
  setup.time.newmark_gamma = drop.gamma;
  setup.gravity = Vec3(0, -9.81, 0);
  setup.contact.friction = drop.mu;
  setup.solver.method = drop.method;
  setup.solver.handles = 4;
  setup.solver.multilevel.cache = false;
  TetMesh mesh = drop.ball ? make_sphere(0.1, 0.07) : make_box(Vec3::Constant(0.2), {2, 2, 2});
  setup.bodies.push_back(
      test::body("body", std::move(mesh), test::material("stable_neo_hookean", 1e5, 0.4), Vec3(0, 0.12, 0)));
  setup.bodies[0].velocity = Vec3(drop.mu > 0 ? 1 : 0, -3, 0);
  setup.obstacles.push_back(test::floor_plane());
  Simulation simulation(build_system(std::move(setup)));
  const double start = energy(simulation);
  const double worth = simulation.energies().kinetic;
  double highest = start;
  const int steps = static_cast<int>(std::lround(std::min(0.3, 150 * drop.step) / drop.step));
  test::run_checked(simulation, std::max(steps, 30),
                    [&](const StepReport&) { highest = std::max(highest, energy(simulation)); });
  EXPECT_LE(highest, start + allowed_gain * worth);
  EXPECT_LT(energy(simulation), start);
}

INSTANTIATE_TEST_SUITE_P(Newmark, Drops,
                         ::testing::Values(Drop{0.03}, Drop{0.01}, Drop{0.003}, Drop{0.001},
                                           Drop{0.01, 0.25, 0.5, true}, Drop{0.003, 0.25, 0.5, true},
                                           Drop{0.001, 0.25, 0.5, true}, Drop{0.01, 0.3025, 0.6},
                                           Drop{0.001, 0.3025, 0.6, true}, Drop{0.01, 0.25, 0.5, false, 0.5},
                                           Drop{0.01, 0.25, 0.5, false, 0.5, "multilevel"},
                                           Drop{0.01, 0.25, 0.5, false, 0.5, "reduced"},
                                           Drop{0.003, 0.25, 0.5, true, 0.5, "mixed"}),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

// What rests on the floor has no velocity, and its acceleration is that of its weight alone: contact is no part of it.
TEST(NewmarkContact, RestsStill) {
  sinew::Setup setup;
  setup.time.step = 0.005;
  setup.time.integrator = Integrator::newmark;
  setup.time.newmark_beta = 0.36;
  setup.time.newmark_gamma = 0.7;
  setup.gravity = Vec3(0, -9.81, 0);
  setup.bodies.push_back(test::body("box", make_box(Vec3::Constant(0.2), {1, 1, 1}),
                                    test::material("stable_neo_hookean", 1e5, 0.3), Vec3(0, 0.1005, 0)));
  setup.bodies[0].damping_stiffness = 0.01;
  setup.obstacles.push_back(test::floor_plane());
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 300);
  EXPECT_LT(simulation.state().v.leftCols(8).cwiseAbs().maxCoeff(), 2e-3);
}

}  // namespace
}  // namespace sinew
