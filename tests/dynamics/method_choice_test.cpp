#include "sinew/dynamics/method_choice.h"

#include <cmath>

#include "support/bodies.h"
#include <gmock/gmock.h>

#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/quadratic_tets.h"

namespace sinew {
namespace {

using testing::HasSubstr;

std::shared_ptr<System> box(const Vec3& size, const std::array<int, 3>& cells) {
  sinew::Setup setup;
  setup.solver.method = "auto";
  setup.bodies.push_back(
      test::body("box", make_box(size, cells), test::material("neo_hookean", 1e5, 0.3), Vec3(0, 1, 0)));
  return build_system(std::move(setup));
}

// Solids from some hundred vertices on are for multilevel; what is thin or small is for newton, however many there are.
TEST(MethodChoice, GoesByTheWorkOfAFactorisation) {
  const MethodChoice small = choose_method(*box(Vec3::Ones(), {2, 2, 2}));
  EXPECT_EQ(small.method, "newton");
  const MethodChoice solid = choose_method(*box(Vec3::Ones(), {8, 8, 8}));
  EXPECT_EQ(solid.method, "multilevel");
  EXPECT_GT(solid.factor_flops, 100 * small.factor_flops);
  const MethodChoice rod = choose_method(*box(Vec3(300, 1, 1), {300, 2, 2}));
  EXPECT_EQ(rod.method, "newton");
  EXPECT_GT(rod.factor_flops, small.factor_flops);
  EXPECT_THAT(rod.reason(), HasSubstr("flops a vertex"));
  const MethodChoice again = choose_method(*box(Vec3::Ones(), {8, 8, 8}));
  EXPECT_EQ(again.factor_flops, solid.factor_flops);
}

// Bodies that are alike have together what one has, a vertex.
TEST(MethodChoice, DoesNotGoByTheNumberOfBodies) {
  sinew::Setup setup;
  for (int b = 0; b < 5; ++b) {
    setup.bodies.push_back(test::body("box" + std::to_string(b), make_box(Vec3::Ones(), {3, 3, 3}),
                                      test::material("neo_hookean", 1e5, 0.3), Vec3(3 * b, 1, 0)));
  }
  const MethodChoice five = choose_method(*build_system(std::move(setup)));
  const MethodChoice one = choose_method(*box(Vec3::Ones(), {3, 3, 3}));
  EXPECT_NEAR(five.factor_flops, 5 * one.factor_flops, 0.1 * five.factor_flops);
  EXPECT_NEAR(five.flops_a_vertex, one.flops_a_vertex, 0.1 * one.flops_a_vertex);
}

// The cost of multilevel grows with the root of lambda / mu above nu = 0.45, and with the couplings of the elements.
TEST(MethodChoice, GoesByWhatMultilevelCosts) {
  const auto cost = [](double poisson, Elements elements) {
    sinew::Setup setup;
    setup.bodies.push_back(
        test::body("box", make_box(Vec3::Ones(), {4, 4, 4}), test::material("neo_hookean", 1e5, poisson)));
    setup.bodies[0].elements = elements;
    if (is_quadratic(elements)) make_quadratic(setup.bodies[0].mesh);
    return choose_method(*build_system(std::move(setup))).worthwhile;
  };
  const double least = cost(0.3, Elements::linear);
  EXPECT_EQ(cost(0.45, Elements::linear), least);
  const double nu = 0.4999;
  EXPECT_NEAR(cost(nu, Elements::linear), least * std::sqrt(2 * nu / (1 - 2 * nu) / 9), 1e-6 * least);
  EXPECT_GT(cost(0.3, Elements::quadratic), 1.5 * least);
  EXPECT_GT(cost(0.3, Elements::quadratic_mixed), 5 * cost(0.3, Elements::quadratic));
}

TEST(MethodChoice, SettlesAutoAlone) {
  const std::shared_ptr<System> system = box(Vec3::Ones(), {2, 2, 2});
  SolverSetup solver;
  for (const char* method : {"newton", "newton-pcg", "newton-multilevel", "multilevel"}) {
    solver.method = method;
    settle_method(solver, *system);
    EXPECT_EQ(solver.method, method);
    EXPECT_EQ(solver.method_reason, "");
  }
  solver.method = "auto";
  settle_method(solver, *system);
  EXPECT_EQ(solver.method, "newton");
  EXPECT_EQ(solver.method_reason, choose_method(*system).reason());
}

TEST(MethodChoice, ALinearSolverMeansNewton) {
  const std::shared_ptr<System> system = box(Vec3::Ones(), {8, 8, 8});
  system->setup.solver.linear_solver = "pcg";
  settle_method(system->setup.solver, *system);
  EXPECT_EQ(system->setup.solver.method, "newton");
  EXPECT_THAT(system->setup.solver.method_reason, HasSubstr("linear_solver"));
  EXPECT_EQ(resolved_method(system->setup.solver), "newton-pcg");
}

// Whoever builds a Setup need not settle it.
TEST(MethodChoice, SimulationsTakeAuto) {
  Simulation simulation(box(Vec3::Ones(), {8, 8, 8}));
  const StepReport report = simulation.step();
  EXPECT_TRUE(report.converged);
  EXPECT_TRUE(report.levels.any);  // of multilevel
}

}  // namespace
}  // namespace sinew
