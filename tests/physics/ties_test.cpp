// Ties against closed forms and invariants.
#include "support/ties.h"

#include <cmath>

#include "support/run.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/archive.h"

namespace sinew::ties_test {

const char* const methods[] = {"newton", "newton-pcg", "newton-multilevel", "multilevel", "quasi_newton"};

sinew::Setup static_blocks(double gap, bool swapped, const char* method) {
  sinew::Setup setup = test::tied_blocks(gap, swapped);
  setup.contact.enabled = false;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 1;
  setup.solver.method = method;
  setup.solver.tolerance = 1e-13;
  setup.solver.force_tolerance = 1e-12;
  setup.solver.linear_tolerance = 1e-12;
  setup.solver.iterations = 0;
  setup.solver.max_iterations = 3000;
  return setup;
}

bool is_bottom(const Vec3& x) {
  return x[2] < -0.0999;
}
bool is_top(const Vec3& x) {
  return x[2] > 0.0999;
}

// One stress in all tets, to `share` of it.
void expect_one_stress(Simulation& simulation, double share) {
  Eigen::MatrixXd cauchy;
  std::vector<double> von_mises;
  simulation.stress(cauchy, von_mises);
  const Eigen::VectorXd first = cauchy.col(0);
  EXPECT_GT(first.norm(), 1e3);
  EXPECT_LE((cauchy.colwise() - first).colwise().norm().maxCoeff(), share * first.norm());
}

// Displacement patch test: surfaces are prescribed to move by one affine map but for the tied vertices, which follow.
TEST(Ties, PassThePatchTestOfDisplacements) {
  Mat3 F;
  F << 1.15, 0.10, -0.05, 0.04, 0.90, 0.12, -0.08, 0.06, 1.05;
  for (const char* method : methods)
    for (const bool swapped : {false, true}) {
      SCOPED_TRACE(method);
      SCOPED_TRACE(swapped);
      sinew::Setup setup = static_blocks(0, swapped, method);
      for (BodySetup& body : setup.bodies)
        for (Index v = 0; v < body.mesh.vertex_count(); ++v) {
          const Vec3 X = body.mesh.vertices.col(v);
          const bool side = std::abs(X[0]) > 0.0999 || std::abs(X[1]) > 0.0799;
          const bool interface = std::abs(X[2]) < 1e-9, follows = &body == &setup.bodies[setup.ties[0].body];
          if ((interface && follows) || !(interface || side || is_bottom(X) || is_top(X))) continue;
          FixSetup fix;
          fix.vertices = {v};
          MatX keys(3, 2);
          keys.col(0).setZero();
          keys.col(1) = F * X - X;
          fix.motion.translation = Keyframes{{0, 1}, keys};
          body.fixes.push_back(std::move(fix));
        }
      Simulation simulation(build_system(std::move(setup)));
      test::run_checked(simulation, 1);
      const System& system = simulation.system();
      const Points expected = F * system.rest;
      EXPECT_LE((simulation.state().x - expected).cwiseAbs().maxCoeff(), 1e-10 * 0.02);
      expect_one_stress(simulation, 1e-10);
    }
}

// Stress patch test: a traction pulls at one block, the other stands on the ground; the interface hands it on.
TEST(Ties, PassThePatchTestOfStresses) {
  for (const char* method : methods)
    for (const bool swapped : {false, true}) {
      SCOPED_TRACE(method);
      SCOPED_TRACE(swapped);
      sinew::Setup setup = static_blocks(0, swapped, method);
      const auto fix = [&](const std::function<bool(const Vec3&)>& inside, std::array<bool, 3> axes) {
        FixSetup fix;
        fix.vertices = test::select_vertices(setup.bodies[0].mesh, inside);
        fix.axes = axes;
        setup.bodies[0].fixes.push_back(std::move(fix));
      };
      fix(is_bottom, {false, false, true});
      fix([](const Vec3& x) { return is_bottom(x) && x[0] < -0.0999 && x[1] < -0.0799; }, {true, true, false});
      fix([](const Vec3& x) { return is_bottom(x) && x[0] > 0.0999 && x[1] < -0.0799; }, {false, true, false});
      LoadSetup load;
      load.faces = test::faces_where(setup.bodies[1].mesh, is_top);
      load.vector = Vec3(0, 0, 2e4);  // a fifth of Young's modulus
      setup.bodies[1].loads.push_back(std::move(load));
      Simulation simulation(build_system(std::move(setup)));
      test::run_checked(simulation, 1);
      expect_one_stress(simulation, 1e-10);
    }
}

// Two halves of a beam are the beam, up to what meshes make of it.
TEST(Ties, TwoHalvesBendAsOne) {
  const Vec3 size(1, 0.1, 0.1);
  const auto tip = [&](bool tied) {
    sinew::Setup setup;
    setup.contact.enabled = false;
    setup.time.integrator = Integrator::statics;
    setup.time.steps = 1;
    setup.gravity = Vec3(0, -9.81, 0);
    const auto material = test::material("neo_hookean", 2e6, 0.3);
    if (tied) {
      setup.bodies.push_back(test::body("root", make_box({0.5, 0.1, 0.1}, {10, 3, 3}), material, Vec3(-0.25, 0, 0)));
      setup.bodies.push_back(test::body("end", make_box({0.5, 0.1, 0.1}, {10, 2, 2}), material, Vec3(0.25, 0, 0)));
      TieSetup tie;
      tie.body = 0;
      tie.faces = test::faces_where(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] > -1e-9; });
      tie.to = 1;
      tie.to_faces = test::faces_where(setup.bodies[1].mesh, [](const Vec3& x) { return x[0] < 1e-9; });
      setup.ties.push_back(std::move(tie));
    } else {
      setup.bodies.push_back(test::body("beam", make_box(size, {20, 3, 3}), material));
    }
    FixSetup fix;
    fix.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.499; });
    setup.bodies[0].fixes.push_back(std::move(fix));
    Simulation simulation(build_system(std::move(setup)));
    test::run_checked(simulation, 1);
    const System& system = simulation.system();
    double lowest = 0;
    for (Index v = 0; v < system.dynamic_count; ++v)
      if (system.rest(0, v) > 0.499) lowest = std::min(lowest, simulation.state().x(1, v) - system.rest(1, v));
    return lowest;
  };
  const double whole = tip(false), halves = tip(true);
  EXPECT_LT(whole, -0.03);
  // The end is coarser than the beam, and bends less by a few per cent of its small share.
  EXPECT_NEAR(halves, whole, 0.03 * std::abs(whole));
}

// Free bodies keep their momentum, by every integrator, also where one of them meets another.
TEST(Ties, KeepMomentum) {
  for (const Integrator integrator : {Integrator::implicit_euler, Integrator::bdf2, Integrator::newmark}) {
    sinew::Setup setup = test::tied_blocks(0, false, "stable_neo_hookean");
    setup.time.integrator = integrator;
    setup.time.step = 5e-3;
    setup.solver.tolerance = 1e-10;
    setup.contact.distance = 2e-3;
    for (BodySetup& body : setup.bodies) body.velocity = Vec3(0.3, -0.2, -2);
    setup.bodies.push_back(test::body("met", make_box({0.1, 0.1, 0.1}, {2, 2, 2}),
                                      test::material("stable_neo_hookean", 5e4, 0.3), Vec3(0.03, 0.02, -0.155)));
    Simulation simulation(build_system(std::move(setup)));
    const Vec3 p = test::linear_momentum(simulation);
    long contacts = 0;
    test::run_checked(simulation, 8, [&](const StepReport& report) { contacts = std::max(contacts, report.contacts); });
    EXPECT_GT(contacts, 0);
    EXPECT_LE((test::linear_momentum(simulation) - p).norm(), 1e-9 * p.norm());
    // The faces have stayed together, and are under stress.
    Points x = simulation.state().x;
    simulation.system().place_followers(x);
    EXPECT_LE((x - simulation.state().x).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_GT(simulation.energies().elastic, 1e-3);
  }
}

// Contact acts on all surfaces but the tied faces, also where bodies that touch lie flat on each other.
TEST(Ties, TiedFacesDoNotTouch) {
  for (const ContactKind model : {ContactKind::barrier, ContactKind::penalty}) {
    sinew::Setup setup = test::tied_blocks(0);
    setup.contact.distance = 5e-3;
    setup.contact.model = model;
    if (model == ContactKind::penalty) setup.solver.method = "quasi_newton";
    Simulation simulation(build_system(std::move(setup)));
    const StepReport report = test::checked_step(simulation);
    EXPECT_EQ(report.contacts, 0);
    EXPECT_LE((simulation.state().x - simulation.system().rest).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// A stiff block that hangs on another one, whose upper end is fixed, by a tie over a gap. pull: of the lower one down,
// that grows in time [m/s^3].
sinew::Setup hanging(double pull, bool upper_follows) {
  sinew::Setup setup = test::tied_blocks(2e-3, upper_follows);
  for (BodySetup& body : setup.bodies) body.materials = {test::material("stable_neo_hookean", 1e7, 0.3)};
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[1].mesh, is_top);
  setup.bodies[1].fixes.push_back(std::move(fix));
  MatX keys(3, 2);
  keys.col(0).setZero();
  keys.col(1) = Vec3(0, 0, -pull);
  setup.bodies[0].acceleration_keys = Keyframes{{0, 1}, keys};
  setup.contact.distance = 1e-3;
  setup.solver.tolerance = 1e-9;
  return setup;
}

Vec3 momentum_of_lower(const Simulation& simulation) {
  Vec3 sum = Vec3::Zero();
  for (Index v = 0; v < simulation.system().dynamic_count; ++v)
    if (simulation.system().vertex_body[v] == 0) sum += simulation.system().mass[v] * simulation.state().v.col(v);
  return sum;
}

const double lower_mass = 1000 * test::block_size.prod();

// From its time on the block falls freely: every step adds h a to its velocity.
TEST(Ties, EndInTime) {
  for (const char* method : methods) {
    SCOPED_TRACE(method);
    sinew::Setup setup = hanging(50, false);
    setup.solver.method = method;
    setup.solver.iterations = 0;
    setup.ties[0].until = 0.05;
    Simulation simulation(build_system(std::move(setup)));
    test::run_checked(simulation, 5);
    EXPECT_EQ(simulation.state().held, std::vector<char>{1});
    EXPECT_LE(momentum_of_lower(simulation).norm(), 0.02 * lower_mass);
    for (int step = 6; step <= 9; ++step) {
      const Vec3 before = momentum_of_lower(simulation);
      test::checked_step(simulation);
      EXPECT_EQ(simulation.state().held, std::vector<char>{0});
      const Vec3 gained = (momentum_of_lower(simulation) - before) / lower_mass;
      EXPECT_LE((gained - Vec3(0, 0, -0.01 * 50 * 0.01 * step)).norm(), 1e-8);
    }
  }
}

// The tie carries m a / A = rho l a, until that is more than it can.
TEST(Ties, BreakUnderTheirLoad) {
  const double pull = 100, strength = 0.123 * 1000 * test::block_size.z() * pull;  // what it carries at 0.123 s
  for (const bool upper_follows : {false, true}) {
    SCOPED_TRACE(upper_follows);
    sinew::Setup setup = hanging(pull, upper_follows);
    setup.ties[0].breaks_at = strength;
    Simulation simulation(build_system(std::move(setup)));
    test::run_checked(simulation, 15, [&](const StepReport& report) {
      EXPECT_EQ(simulation.state().held[0], report.step < 13);
      ASSERT_EQ(report.warnings.size(), report.step == 13 ? 1u : 0u);
      if (report.step == 13) {
        EXPECT_THAT(report.warnings[0], testing::HasSubstr("breaks at 0.13 s: its traction, 130"));  // 1300 Pa
      }
    });
  }
}

// Pressed the other way it holds, however weak it is.
TEST(Ties, DoNotBreakUnderPressure) {
  sinew::Setup setup = hanging(-100, true);
  setup.ties[0].breaks_at = 300;
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 15);
  EXPECT_EQ(simulation.state().held[0], 1);
}

// Once they are free the faces touch as others do; a run that goes on from a checkpoint has the same bits.
TEST(Ties, LeaveFacesThatTouch) {
  sinew::Setup setup = hanging(0, true);
  setup.ties[0].until = 0.02;
  setup.bodies[0].acceleration_keys = {};
  setup.bodies[0].acceleration = Vec3(0, 0, 30);
  const auto system = build_system(std::move(setup));
  Simulation simulation(system);
  std::string saved;
  long contacts = 0;
  test::run_checked(simulation, 12, [&](const StepReport& report) {
    contacts = std::max(contacts, report.contacts);
    EXPECT_TRUE(find_intersections(system->collision, simulation.state().x, simulation.state().held).empty());
    if (report.step != 4) return;
    ArchiveWriter archive("", "checkpoint");
    simulation.save(archive);
    saved = archive.bytes();
  });
  EXPECT_GT(contacts, 0);
  Simulation again(system);
  again.load(ArchiveReader::from_bytes(saved, "checkpoint", "memory"));
  EXPECT_EQ(again.state().held, std::vector<char>{0});
  test::run_checked(again, 8);
  EXPECT_EQ(again.state().x, simulation.state().x);
}

}  // namespace sinew::ties_test
