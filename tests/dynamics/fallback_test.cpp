// Steps that "auto" hands over, and prescribed motion that does not go ahead of bodies.
#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/dynamics/full_space_model.h"
#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/mesh/surface.h"
#include "sinew/newton/newton.h"
#include "sinew/solver/fallback_direction.h"

namespace sinew::fallback_test {

sinew::Setup falling_box() {
  sinew::Setup setup;
  const TetMesh mesh = make_box({0.1, 0.1, 0.1}, {2, 2, 2});
  setup.bodies.push_back(test::body("box", mesh, test::material("neo_hookean", 1e5, 0.4), Vec3(0, 0.052, 0)));
  setup.bodies[0].velocity = Vec3(0, -1, 0);
  setup.obstacles.push_back(test::floor_plane());
  setup.solver.tolerance = 1e-6;
  return setup;
}

std::unique_ptr<FullSpaceDirection> newton() {
  return std::make_unique<NewtonDirection>(std::make_unique<SparseCholesky>());
}

// A direction that leads down and nowhere: a tiny part of Newton's.
class Tiny : public FullSpaceDirection {
 public:
  explicit Tiny(double part) : part_(part) {}
  void begin_step(const StepContext& context, IncrementalPotential& potential) override {
    newton_.begin_step(context, potential);
  }
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override {
    DirectionResult result = newton_.direction(x, drift, g, d);
    d *= part_;
    result.exact = false;
    result.may_stop = part_ > 0;
    if (part_ == 0) result.ok = false;
    return result;
  }
  // Belongs to the last direction: the one that takes over has none yet.
  DirectionResult correction(const Points& x, const Points& g, Points& d) override {
    return newton_.correction(x, g, d);
  }
  void accepted(const Points&, double, double) override {}
  void end_step() override {}

 private:
  double part_;
  NewtonDirection newton_{std::make_unique<SparseCholesky>()};
};

TEST(Fallback, AStepWithoutProgressGoesOnByTheSecondDirection) {
  for (const double part : {1e-6, 0.0}) {  // no progress, or no direction at all
    const auto system = build_system(falling_box());
    Simulation reference(system);
    Stepper stepper(system,
                    std::make_unique<FullSpaceModel>(
                        system, std::make_unique<FallbackDirection>(std::make_unique<Tiny>(part), newton, "newton")),
                    minimizer_settings);
    for (int k = 0; k < 3; ++k) {
      const StepReport expected = reference.step(), report = stepper.advance();
      ASSERT_TRUE(expected.converged);
      EXPECT_TRUE(report.converged) << report.reason;
      EXPECT_EQ(report.fallback, "newton");
      EXPECT_TRUE(expected.fallback.empty());
      EXPECT_LE(report.newton_iterations, FallbackDirection::patience + expected.newton_iterations + 5);
      const Index n = system->dynamic_count;
      EXPECT_LT((stepper.sample().x - reference.state().x).leftCols(n).colwise().norm().maxCoeff(), 1e-6);
    }
  }
}

TEST(Fallback, AStepWithProgressStaysWithTheFirstDirection) {
  const auto system = build_system(falling_box());
  Simulation reference(system);
  const auto never = []() -> std::unique_ptr<FullSpaceDirection> { throw std::logic_error("not needed"); };
  Stepper stepper(
      system, std::make_unique<FullSpaceModel>(system, std::make_unique<FallbackDirection>(newton(), never, "newton")),
      minimizer_settings);
  for (int k = 0; k < 3; ++k) {
    reference.step();
    EXPECT_TRUE(stepper.advance().fallback.empty());
  }
  EXPECT_EQ(stepper.sample().x, reference.state().x);
}

// A press fit in statics: a shaft grows by far more than the contact distance in a load step, within a ring that
// nothing else holds. By an inexact method the shaft went ahead of the ring, to gaps of rounding and forces of 1e15 N.
TEST(PrescribedMotion, AShaftThatGrowsInARingLeavesNoGapsOfRounding) {
  for (const char* method : {"newton", "multilevel", "newton-pcg"}) {
    SCOPED_TRACE(method);
    sinew::Setup setup;
    const TetMesh block = make_box({0.04, 0.04, 0.01}, {8, 8, 2});
    // The block without its core: a square ring.
    TetMesh ring;
    std::vector<Index> tets;
    for (Index t = 0; t < block.tet_count(); ++t) {
      Vec3 center = Vec3::Zero();
      for (int k = 0; k < 4; ++k) center += 0.25 * block.vertices.col(block.tets(k, t));
      if (std::max(std::abs(center[0]), std::abs(center[1])) > 0.01) tets.push_back(t);
    }
    ring.vertices = block.vertices;
    ring.tets.resize(4, static_cast<Index>(tets.size()));
    for (std::size_t t = 0; t < tets.size(); ++t) ring.tets.col(static_cast<Index>(t)) = block.tets.col(tets[t]);
    setup.bodies.push_back(test::body("ring", ring, test::material("neo_hookean", 1e7, 0.3)));
    FixSetup plane;
    plane.vertices =
        test::select_vertices(ring, [](const Vec3& x) { return std::max(std::abs(x[0]), std::abs(x[1])) > 0.009; });
    plane.axes = {false, false, true};
    setup.bodies[0].fixes.push_back(plane);
    ObstacleSetup shaft;
    shaft.name = "shaft";
    const TetMesh core = make_box({0.0196, 0.0196, 0.02}, {3, 3, 1});
    shaft.mesh = compacted(core.vertices, boundary_triangles(core.tets));
    Motion::Scaling growth;
    growth.factors = Keyframes{{0, 1}, MatX{{1, 1.04}, {1, 1.04}, {1, 1}}};
    shaft.motion.scaling = growth;
    setup.obstacles.push_back(shaft);
    setup.gravity.setZero();
    setup.time.integrator = Integrator::statics;
    setup.time.steps = 4;
    setup.contact.distance = 4e-6;
    setup.solver.method = method;
    Simulation simulation(build_system(setup));
    for (int k = 0; k < 4; ++k) {
      const StepReport report = simulation.step();
      EXPECT_TRUE(report.converged) << k << ": " << report.reason;
      EXPECT_GT(report.min_distance, 1e-3 * 4e-6);
    }
  }
}

}  // namespace sinew::fallback_test
