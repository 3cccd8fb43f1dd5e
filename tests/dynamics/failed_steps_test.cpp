// Steps made to fail, each in another way: the diagnosis must blame what is to blame.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/solver/diagnosis.h"

namespace sinew {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// A cube 1 m wide, its lower face at y = 0, moving freely.
Setup cube(const std::string& model = "stable_neo_hookean") {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.time.substeps = 0;
  setup.solver.tolerance = 1e-6;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Ones(), {2, 2, 2}), test::material(model, 1e6, 0.3), Vec3(0, 0.5, 0)));
  return setup;
}

FixSetup fixed_below(const Setup& setup, double height) {
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[0].mesh, [&](const Vec3& v) { return v.y() < height; });
  return fix;
}

// The upper face goes to `end` within one step.
FixSetup moved_top(const Setup& setup, const Vec3& end) {
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& v) { return v.y() > 0.999; });
  fix.motion.translation = Keyframes{{0, setup.time.step}, (MatX(3, 2) << Vec3::Zero(), end).finished()};
  return fix;
}

StepReport failed_step(Setup setup) {
  Simulation simulation(build_system(std::move(setup)));
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(report.diagnosis.has_value());
  EXPECT_TRUE(simulation.state().x.allFinite());
  return report;
}

TEST(Diagnosis, ConvergedStepsHaveNone) {
  Simulation simulation(build_system(cube()));
  const StepReport report = simulation.step();
  EXPECT_TRUE(report.converged);
  EXPECT_FALSE(report.diagnosis.has_value());
}

TEST(Diagnosis, ElasticForcesThatNeedMoreIterations) {
  sinew::Setup setup = cube();
  setup.bodies[0].angular_velocity = Vec3(0, 0, 40);
  setup.solver.max_iterations = 1;
  const Diagnosis d = failed_step(setup).diagnosis.value();
  EXPECT_EQ(d.cause, Cause::too_few_iterations);
  EXPECT_EQ(d.term, "elastic");
  EXPECT_EQ(d.body, "cube");
  EXPECT_EQ(d.iterations, 1);
  EXPECT_LT(d.smallest_gap, 0);
  EXPECT_GT(d.residual, d.tolerance);
  // The place belongs to the vertex, to one step's motion.
  EXPECT_LT((Vec3(setup.bodies[0].mesh.vertices.col(d.vertex)) - d.position).norm(), 0.5);
  EXPECT_THAT(d.advice, HasSubstr("raise solver.max_iterations (now 1)"));
  const std::string text = details_text(d);
  EXPECT_THAT(text, HasSubstr("elastic dominates there: elastic "));
  EXPECT_THAT(text, HasSubstr("tried: 1 iteration, 1 line search step\n"));
}

TEST(Diagnosis, ContactThatNeedsMoreIterations) {
  sinew::Setup setup = cube();
  setup.contact.enabled = true;
  setup.contact.distance = 0.01;
  setup.obstacles.push_back(test::floor_plane(-0.005));
  setup.bodies[0].velocity = Vec3(0, -2, 0);
  setup.solver.max_iterations = 3;
  const Diagnosis d = failed_step(setup).diagnosis.value();
  EXPECT_EQ(d.cause, Cause::too_few_iterations);
  EXPECT_EQ(d.term, "contact");
  EXPECT_GT(d.smallest_gap, 0);
  EXPECT_THAT(d.closest, testing::MatchesRegex("vertex [0-9]+ of body 'cube' and obstacle 'floor'"));
  EXPECT_THAT(details_text(d), HasSubstr("smallest gap: "));
}

TEST(Diagnosis, FrictionThatDominates) {
  sinew::Setup setup = cube();
  setup.contact.enabled = true;
  setup.contact.distance = 0.01;
  setup.contact.friction = 100;
  setup.contact.slip_speed = 1e-9;
  setup.obstacles.push_back(test::floor_plane(-0.005));
  setup.contact.friction_iterations = 1;
  setup.bodies[0].velocity = Vec3(3, 2, 0);  // away from the floor, whose friction is that of the start
  setup.solver.max_iterations = 2;
  const Diagnosis d = failed_step(setup).diagnosis.value();
  EXPECT_EQ(d.term, "friction") << d.reason << details_text(d);
}

TEST(Diagnosis, TetsThatAreCrushed) {
  sinew::Setup setup = cube("neo_hookean");
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 1;
  setup.time.step = 1;
  setup.solver.max_iterations = 40;
  setup.bodies[0].fixes = {fixed_below(setup, 0.001), moved_top(setup, Vec3(0, -1.5, 0))};
  const Diagnosis d = failed_step(setup).diagnosis.value();
  EXPECT_EQ(d.cause, Cause::inversion_filter);
  EXPECT_GT(d.inversion_cuts, 10);
  EXPECT_EQ(d.contact_cuts, 0);
  EXPECT_LT(d.min_jacobian, 0.01);
  EXPECT_THAT(d.flattest, testing::MatchesRegex("tet [0-9]+ of body 'cube'"));
  EXPECT_THAT(d.advice, HasSubstr("tets are crushed"));
  EXPECT_THAT(details_text(d), HasSubstr("cut by tets about to invert"));
}

TEST(Diagnosis, MotionThatIsBlocked) {
  sinew::Setup setup = cube();
  setup.contact.enabled = true;
  setup.contact.distance = 0.01;
  setup.bodies[0].fixes = {fixed_below(setup, 2)};
  ObstacleSetup press;
  press.name = "press";
  press.plane = PlaneSetup{Vec3(0, 1.1, 0), -Vec3::UnitY()};
  press.motion.translation = Keyframes{{0, setup.time.step}, (MatX(3, 2) << Vec3::Zero(), Vec3(0, -0.3, 0)).finished()};
  setup.obstacles.push_back(press);
  const Diagnosis d = failed_step(setup).diagnosis.value();
  EXPECT_EQ(d.cause, Cause::blocked_motion);
  EXPECT_THAT(d.closest, HasSubstr("obstacle 'press'"));
  EXPECT_THAT(d.advice, HasSubstr("are closest"));
  EXPECT_GT(d.contact_cuts, 0);
  EXPECT_NEAR(d.position.y(), 1, 1e-6);  // where they touch, as nothing moves any more
}

TEST(Diagnosis, AnIterativeSolverThatStopsEarly) {
  sinew::Setup setup = cube();
  setup.solver.method = "newton-pcg";
  setup.solver.linear_iterations = 1;
  setup.solver.linear_tolerance = 1e-10;
  setup.solver.max_iterations = 10;
  setup.bodies[0].angular_velocity = Vec3(0, 0, 40);
  const StepReport report = failed_step(setup);
  EXPECT_EQ(report.diagnosis->cause, Cause::linear_solver);
  EXPECT_THAT(report.reason, HasSubstr("the linear solver stopped early"));
  EXPECT_THAT(report.diagnosis->advice, HasSubstr("solver.linear_iterations"));
}

// The cube above a floor, falling; stiffness: of contact [Pa].
sinew::Setup falling_cube(double stiffness, double floor, double speed) {
  sinew::Setup setup = cube();
  setup.contact.enabled = true;
  setup.contact.distance = 1e-3;
  setup.contact.stiffness = stiffness;
  setup.obstacles.push_back(test::floor_plane(floor));
  setup.bodies[0].velocity = Vec3(0, -speed, 0);
  return setup;
}

// Things that come too fast: the place is where they touch, not the far end of the body.
TEST(Diagnosis, StepsThatTheCollisionFilterCuts) {
  const Diagnosis d = failed_step(falling_cube(1e20, -0.05, 1e12)).diagnosis.value();
  EXPECT_EQ(d.cause, Cause::contact_filter) << d.reason << details_text(d);
  EXPECT_EQ(d.term, "contact");
  // Which vertex moves fastest is decided by rounding in such numbers: any of the cube's.
  EXPECT_GE(d.position.y(), -0.05);
  EXPECT_THAT(d.advice, HasSubstr("contact.stiffness that is lower (now 1e+20 Pa)"));
}

// Contact far too stiff for the body.
TEST(Diagnosis, ContactThatIsTooStiff) {
  sinew::Setup setup = falling_cube(1e17, -0.0005, 5);
  setup.solver.max_iterations = 5;
  const Diagnosis d = failed_step(setup).diagnosis.value();
  EXPECT_EQ(d.term, "contact") << d.reason << details_text(d);
}

// ---- numbers that overflow

void expect_refused_and_unchanged(Setup setup, const std::string& word) {
  Simulation simulation(build_system(std::move(setup)));
  const State before = simulation.state();
  EXPECT_THAT([&] { simulation.step(); },
              ThrowsMessage<SimulationError>(testing::AllOf(HasSubstr("step 1 cannot be computed"), HasSubstr(word))));
  EXPECT_EQ(simulation.state().x, before.x);
  EXPECT_EQ(simulation.state().v, before.v);
  EXPECT_EQ(simulation.state().step, 0);
  EXPECT_EQ(simulation.state().time, 0);
}

// Newmark's acceleration is that of forces even where a step ends before they balance: M a = f(x) at each vertex.
TEST(UnfinishedSteps, LeaveTheAccelerationsOfForces) {
  struct Run {
    const char *method, *subspace;
  };
  for (const auto& [method, subspace] : {Run{"newton", "full"}, Run{"reduced", "full"}, Run{"reduced", "linear"}}) {
    sinew::Setup setup = cube();
    setup.gravity = Vec3(0, -9.81, 0);
    setup.bodies[0].angular_velocity = Vec3(3, 40, 5);
    setup.time.integrator = Integrator::newmark;
    setup.solver.method = method;
    setup.solver.subspace = subspace;
    setup.solver.handles = 75;  // all modes that there are
    setup.solver.cubature_rule = "all";
    setup.solver.tolerance = 1e-12;
    (method == std::string("newton") ? setup.solver.max_iterations : setup.solver.iterations) = 2;
    Simulation simulation(build_system(std::move(setup)));
    const System& system = simulation.system();
    for (int step = 0; step < 3; ++step) {
      EXPECT_FALSE(simulation.step().converged) << method << subspace;
      const Points force = simulation.forces().elastic, a = simulation.state().a;
      double off = 0, size = 0;
      for (Index i = 0; i < system.dynamic_count; ++i) {
        off += (system.mass[i] * (a.col(i) - system.setup.gravity) - force.col(i)).squaredNorm();
        size += force.col(i).squaredNorm();
      }
      EXPECT_LT(std::sqrt(off / size), 1e-9) << method << subspace << step;
    }
  }
}

TEST(NotFinite, ForcesThatOverflow) {
  sinew::Setup setup = cube();
  setup.gravity = Vec3(0, -1e308, 0);
  setup.time.step = 100;
  expect_refused_and_unchanged(setup, "not finite");
}

TEST(NotFinite, EnergiesThatOverflow) {
  sinew::Setup setup = cube();
  setup.gravity = Vec3(0, -1e200, 0);
  expect_refused_and_unchanged(setup, "not finite");
}

TEST(NotFinite, StiffnessesThatOverflow) {
  sinew::Setup setup = cube("neo_hookean");
  setup.bodies[0].materials[0].parameters =
      setup.bodies[0].materials[0].model->resolve({{"lambda", {1e308}}, {"mu", {1.7e308}}});
  setup.bodies[0].angular_velocity = Vec3(0, 0, 1);
  expect_refused_and_unchanged(setup, "not finite");
}

TEST(NotFinite, VelocitiesAndPositionsAreBounded) {
  Simulation simulation(build_system(cube()));
  Points v = simulation.state().v.leftCols(simulation.system().dynamic_count);
  v(1, 3) = 1e200;
  EXPECT_THAT([&] { simulation.set_velocities(v); },
              ThrowsMessage<InputError>(testing::MatchesRegex(
                  "velocities: found 1e\\+200 at vertex [0-9]+ of body 'cube', expected finite numbers with a "
                  "magnitude of at most 1e\\+12 m/s")));
  v(1, 3) = std::nan("");
  EXPECT_THAT([&] { simulation.set_positions(v); }, ThrowsMessage<InputError>(HasSubstr("positions: found nan at ")));
}

}  // namespace
}  // namespace sinew
