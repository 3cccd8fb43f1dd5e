// Affine bodies in free fall and in contact: momentum, and how little of their energy goes into their shape.
#include "support/affine_scene.h"
#include <gtest/gtest.h>

namespace sinew::affine_bodies_test {

// x(t) = v t + (1 + 1/k) g t^2 / 2 after k steps of implicit Euler; the shape stays what it was.
TEST(AffineBodies, FallFreely) {
  sinew::Setup setup = test::free_scene(0.01, Integrator::implicit_euler);
  setup.gravity = Vec3(0, -9.81, 0);
  setup.bodies.push_back(test::affine_body(make_box({0.1, 0.2, 0.3}, {2, 2, 2})));
  setup.bodies[0].velocity = Vec3(1, 2, 0);
  Simulation simulation(build_system(std::move(setup)));
  const int steps = 20;
  test::run_checked(simulation, steps);
  const double t = steps * 0.01;
  const Vec3 fallen = Vec3(1, 2, 0) * t + 0.5 * (1 + 1.0 / steps) * t * t * Vec3(0, -9.81, 0);
  EXPECT_LE((test::center_of_mass(simulation, 0) - fallen).norm(), 1e-12);
  const System& system = simulation.system();
  EXPECT_LE((simulation.state().x - (system.rest.colwise() + fallen)).cwiseAbs().maxCoeff(), 1e-10);
}

// Two bodies that meet keep their momentum, linear and angular: contact forces pull back through the weights.
TEST(AffineBodies, KeepMomentumInContact) {
  sinew::Setup setup = test::free_scene(2e-3, Integrator::implicit_euler);
  setup.contact.enabled = true;
  setup.contact.distance = 1e-3;
  setup.contact.friction = 0.3;
  setup.bodies.push_back(test::affine_body(make_sphere(0.05, 0.03)));
  setup.bodies.push_back(test::affine_body(make_box({0.1, 0.08, 0.09}, {2, 2, 2})));
  setup.bodies[1].mesh.vertices.colwise() += Vec3(0.11, 0.01, 0);
  setup.bodies[1].name = "other";
  setup.bodies[0].velocity = Vec3(2, 0.3, 0);
  setup.bodies[0].angular_velocity = Vec3(0, 0, 10);
  Simulation simulation(build_system(std::move(setup)));
  const Vec3 p = test::linear_momentum(simulation);
  double pressed = 0;
  test::run_checked(simulation, 15, [&](const StepReport& report) {
    pressed = std::max(pressed, static_cast<double>(report.contacts));
    // Friction acts across the gap, which leaves a small moment; normal forces leave none.
    const NodalForces forces = simulation.forces();
    const System& system = simulation.system();
    Vec3 sum = Vec3::Zero(), moment = sum;
    double size = 0;
    for (Index v = 0; v < system.body_vertex_count(); ++v) {
      const Vec3 f = forces.contact.col(v), x = simulation.state().x.col(v);
      sum += f + forces.friction.col(v);
      moment += x.cross(f);
      size += f.norm();
    }
    EXPECT_LE(sum.norm(), 1e-9 * size);
    EXPECT_LE(moment.norm(), 1e-9 * size);
  });
  EXPECT_GT(pressed, 0);
  EXPECT_LE((test::linear_momentum(simulation) - p).norm(), 1e-6 * p.norm());
}

// Energy of the shape beside the kinetic energy of a cube of edge L that is thrown, spinning, onto a floor. By spin: a
// strain of rho w^2 L^2 / E at most, an energy of V E / 2 times its square. By an impact at the speed v within a step
// h: a force of 2 m v / h over a face of L^2, whose energy is (4 L / (c h))^2 / 2 of the kinetic one, c^2 = E / rho; on
// a corner, or in a shorter time, it is some times that.
TEST(AffineBodies, KeepTheirShape) {
  const double edge = 0.02, acrylic = 3e9, density = 1180, step = 2e-3;
  sinew::Setup setup = test::free_scene(step);
  setup.gravity = Vec3(0, -9.81, 0);
  setup.contact.enabled = true;
  setup.contact.distance = 2e-4;
  setup.contact.friction = 0.3;
  setup.solver.tolerance = 1e-4;
  setup.obstacles.push_back(test::floor_plane());
  setup.bodies.push_back(test::affine_body(make_box(Vec3::Constant(edge), {1, 1, 1}), acrylic, density));
  setup.bodies[0].mesh.vertices.colwise() += Vec3(0, 0.08, 0);
  setup.bodies[0].velocity = Vec3(1, -2, 0.5);
  setup.bodies[0].angular_velocity = Vec3(40, 20, 60);
  Simulation simulation(build_system(std::move(setup)));
  const double thrown = simulation.energies().kinetic;
  int touching = 0;
  test::run_checked(simulation, 300, [&](const StepReport& report) {
    const bool flies = report.contacts == 0;
    EXPECT_LE(report.energies.elastic, 1e-3 * (flies ? report.energies.kinetic : thrown)) << report.step;
    touching += !flies;
  });
  EXPECT_GE(touching, 3);
}

}  // namespace sinew::affine_bodies_test
