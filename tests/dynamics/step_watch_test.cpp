// What a step warns of although it converges, and which steps are divided for fast bodies.
#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

namespace watched {

// Two cubes of 1 cm, 4 cm apart, the first on its way to the second.
sinew::Setup two_cubes(double speed) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.step = 0.01;
  for (const char* name : {"pellet", "target"}) {
    const Vec3 offset(setup.bodies.empty() ? 0 : 0.05, 0, 0);
    setup.bodies.push_back(
        test::body(name, make_box(Vec3::Constant(0.01), {1, 1, 1}), test::material("neo_hookean", 1e6, 0.4), offset));
  }
  setup.bodies[0].velocity = Vec3(speed, 0, 0);
  return setup;
}

}  // namespace watched
using watched::two_cubes;

// Steps as they are without time.max_travel.
TEST(StepWatch, BodiesThatMeetAtSeveralSizesAStep) {
  const auto two_cubes = [](double speed) {
    sinew::Setup setup = watched::two_cubes(speed);
    setup.time.max_travel = 0;
    return setup;
  };
  Simulation fast(build_system(two_cubes(5)));
  EXPECT_THAT(
      fast.step().warnings,
      ElementsAre(HasSubstr("bodies 'pellet' and 'target' approach each other by 0.05 m in a step, 2.9 times")));
  // A body that becomes fast later.
  sinew::Setup setup = two_cubes(0);
  setup.bodies[0].acceleration = Vec3(200, 0, 0);
  Simulation later(build_system(std::move(setup)));
  EXPECT_THAT(later.step().warnings, IsEmpty());
  int warned = 0;
  for (int step = 1; step < 4; ++step) warned += !later.step().warnings.empty();
  EXPECT_EQ(warned, 1);
  // Past each other, or slowly.
  Simulation aside(build_system(two_cubes(-5)));
  EXPECT_THAT(aside.step().warnings, IsEmpty());
  Simulation slow(build_system(two_cubes(0.5)));
  for (int step = 0; step < 10; ++step) EXPECT_THAT(slow.step().warnings, IsEmpty());
}

// 2.9 sizes a step are 8 parts of at most half a size. The order of the cubes is kept, by each method.
TEST(StepWatch, StepsAreDividedWhereBodiesMeetFast) {
  for (const char* method : {"newton", "multilevel", "adaptive", "quasi_newton", "reduced", "mixed"}) {
    for (const double speed : {5.0, 20.0}) {
      sinew::Setup setup = two_cubes(speed);
      setup.solver.method = method;
      setup.solver.handles = 2;
      setup.solver.multilevel.cache = false;
      Simulation simulation(build_system(std::move(setup)));
      int divided = 0;
      bool converged = true;
      for (int step = 0; step < 4; ++step) {
        const StepReport report = simulation.step();
        EXPECT_THAT(report.warnings, IsEmpty());
        divided += report.substeps > 1;
        converged = converged && report.converged;
      }
      EXPECT_GE(divided, 1);
      EXPECT_GT(test::center_of_mass(simulation, 1).x() - test::center_of_mass(simulation, 0).x(), 0.008)
          << method << speed;
      const double mass = 2 * 1000 * 1e-6;
      EXPECT_EQ(converged, method != std::string("quasi_newton"));  // its budget is up
      if (converged) {
        EXPECT_NEAR(test::linear_momentum(simulation).x(), 0.5 * mass * speed, 0.02 * mass * speed) << method;
      }
    }
  }
}

// Where friction does not settle even in the smallest part, the parts go on: a step as a whole would put the cubes on
// the wrong sides of each other. Faces that meet flat have no direction of slip.
TEST(StepWatch, PartsThatDoNotConvergeKeepTheOrder) {
  for (const char* method : {"newton", "multilevel"}) {
    for (const double friction : {0.3, 1.0}) {
      sinew::Setup setup = two_cubes(5);
      setup.time.step = 1.0 / 60;
      setup.contact.friction = friction;
      setup.solver.method = method;
      setup.solver.multilevel.cache = false;
      for (BodySetup& body : setup.bodies) {
        const Vec3 center = body.mesh.vertices.rowwise().mean();
        body.mesh = make_box(Vec3::Constant(0.01), {3, 3, 3});
        body.mesh.vertices.colwise() += center;
      }
      Simulation simulation(build_system(std::move(setup)));
      for (int step = 0; step < 3; ++step) {
        const StepReport report = simulation.step();
        EXPECT_TRUE(report.converged || report.diagnosis) << method << friction;
      }
      EXPECT_GT(test::center_of_mass(simulation, 1).x() - test::center_of_mass(simulation, 0).x(), 0.008)
          << method << friction;
    }
  }
}

TEST(StepWatch, PartsAreNoLongerThanTheScenesLimit) {
  const auto first_step = [](double max_travel, int substeps) {
    sinew::Setup setup = two_cubes(5);
    setup.time.max_travel = max_travel;
    setup.time.substeps = substeps;
    return Simulation(build_system(std::move(setup))).step();
  };
  EXPECT_EQ(first_step(0.5, 64).substeps, 8);
  EXPECT_EQ(first_step(1, 64).substeps, 4);
  EXPECT_EQ(first_step(0.01, 64).substeps, 64);
  EXPECT_THAT(first_step(0.01, 64).warnings, IsEmpty());
  EXPECT_EQ(first_step(3, 64).substeps, 1);  // as the scene wants it
  EXPECT_THAT(first_step(3, 64).warnings, ElementsAre(HasSubstr("approach each other by 0.05 m in a step, 2.9 times")));
  EXPECT_EQ(first_step(0.5, 2).substeps, 2);
  EXPECT_THAT(first_step(0.5, 2).warnings,
              ElementsAre(HasSubstr("approach each other by 0.025 m in a part of a step, 1.4 times")));
  EXPECT_EQ(first_step(0.5, 0).substeps, 1);
  EXPECT_THAT(first_step(0.5, 0).warnings,
              ElementsAre(HasSubstr("approach each other by 0.05 m in a step, 2.9 times")));
}

// The parts of the first step of a cube of 1 cm that flies along x at 5 m/s, to an obstacle of that shape.
int parts_towards(TriMesh obstacle, Vec3 velocity = Vec3(5, 0, 0), const Motion& motion = {}) {
  sinew::Setup setup = two_cubes(0);
  setup.bodies.resize(1);
  setup.bodies[0].velocity = velocity;
  ObstacleSetup target;
  target.name = "target";
  target.mesh = std::move(obstacle);
  target.motion = motion;
  setup.obstacles.push_back(std::move(target));
  const StepReport report = Simulation(build_system(std::move(setup))).step();
  EXPECT_THAT(report.warnings, IsEmpty());
  return report.substeps;
}

TriMesh box_surface(const Vec3& size, const Vec3& center) {
  const TetMesh box = make_box(size, {1, 1, 1});
  TriMesh surface;
  surface.vertices = box.vertices.colwise() + center;
  surface.triangles = boundary_triangles(box.tets);
  return surface;
}

TEST(StepWatch, ObstaclesThatCanBePassedRound) {
  const double h = 0.01;
  EXPECT_EQ(parts_towards(box_surface(Vec3::Constant(0.01), Vec3(0.05, 0, 0))), 8);
  EXPECT_EQ(parts_towards(box_surface(Vec3(1e-4, 1, 0.01), Vec3(0.05, 0, 0))), 8);      // a thin bar
  EXPECT_EQ(parts_towards(box_surface(Vec3::Constant(1), Vec3(0.53, 0, 0))), 1);        // a wall
  EXPECT_EQ(parts_towards(box_surface(Vec3(1e-4, 1, 1), Vec3(0.03, 0, 0))), 1);         // a wide plate
  EXPECT_EQ(parts_towards(box_surface(Vec3(1e-4, 1, 1), Vec3(0.03, 0.48, 0))), 8);      // near its rim
  EXPECT_EQ(parts_towards(box_surface(Vec3::Constant(0.1), Vec3(0.02, 0, 0))), 1);      // in a hollow box
  EXPECT_EQ(parts_towards(box_surface(Vec3::Constant(0.01), Vec3(0.2, 0, 0))), 1);      // too far away
  EXPECT_EQ(parts_towards(box_surface(Vec3::Constant(0.01), Vec3(0.05, 0.03, 0))), 1);  // aside
  // The obstacle moves, or turns about an axis far away.
  Motion motion;
  motion.translation = Keyframes{{0, h}, (MatX(3, 2) << Vec3::Zero(), Vec3(-0.05, 0, 0)).finished()};
  EXPECT_EQ(parts_towards(box_surface(Vec3::Constant(0.01), Vec3(0.05, 0, 0)), Vec3::Zero(), motion), 8);
  EXPECT_EQ(parts_towards(box_surface(Vec3::Constant(0.01), Vec3(-0.05, 0, 0)), Vec3::Zero(), motion), 1);
  Motion turn;
  turn.rotation = Motion::Rotation{Vec3::UnitY(), Vec3(0.05, 0, 1), Keyframes{{0, h}, MatX::Zero(1, 2)}};
  turn.rotation->degrees.values << 0, 3;  // 5 cm along x
  EXPECT_EQ(parts_towards(box_surface(Vec3::Constant(0.01), Vec3(0.05, 0, 0)), Vec3::Zero(), turn), 8);
}

// A closed obstacle stays closed for a body inside.
TEST(StepWatch, BodiesDoNotLeaveHollowObstacles) {
  sinew::Setup setup = two_cubes(0);
  setup.bodies.resize(1);
  setup.bodies[0].velocity = Vec3(7, 4, 2);
  ObstacleSetup hollow;
  hollow.name = "hollow";
  hollow.mesh = box_surface(Vec3::Constant(0.06), Vec3(0.01, 0, 0));
  setup.obstacles.push_back(std::move(hollow));
  Simulation simulation(build_system(std::move(setup)));
  for (int step = 0; step < 5; ++step) simulation.step();
  EXPECT_LT((test::center_of_mass(simulation, 0) - Vec3(0.01, 0, 0)).cwiseAbs().maxCoeff(), 0.03);
}

sinew::Setup cube(const std::string& model) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.bodies.push_back(test::body("cube", make_box(Vec3::Ones(), {1, 1, 1}), test::material(model, 1e6, 0.3)));
  return setup;
}

// The mirror image.
Points turned_inside_out(const System& system) {
  Points x = system.rest.leftCols(system.dynamic_count);
  x.row(1) *= -1;
  return x;
}

TEST(StepWatch, TetsInsideOut) {
  Simulation simulation(build_system(cube("stable_neo_hookean")));
  EXPECT_THAT(simulation.step().warnings, IsEmpty());
  const auto system = build_system(cube("stable_neo_hookean"));
  Simulation inverted(system);
  inverted.set_positions(turned_inside_out(*system));
  const StepReport report = inverted.step();
  EXPECT_LT(report.min_jacobian, 0);
  EXPECT_THAT(report.warnings, ElementsAre(HasSubstr("inverted")));
  const auto strict = build_system(cube("neo_hookean"));
  Simulation refusing(strict);
  EXPECT_THAT([&] { refusing.set_positions(turned_inside_out(*strict)); },
              ThrowsMessage<InputError>(HasSubstr("det F = -1 of tet ")));
}

}  // namespace
}  // namespace sinew
