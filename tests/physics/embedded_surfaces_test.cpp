// Contact on surfaces that follow coarse tets, against closed forms and invariants.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"

namespace sinew::embedded_surfaces_test {

BodySetup with_skin(const char* name, TetMesh mesh, const TetMesh& fine, Vec3 offset = Vec3::Zero(),
                    double young = 1e6) {
  BodySetup body = test::body(name, std::move(mesh), test::material("neo_hookean", young, 0.3), offset);
  body.collision = compacted(fine.vertices, boundary_triangles(fine.tets));
  body.collision->vertices.colwise() += offset;
  return body;
}

// Two soft bodies that meet keep their momentum: contact forces go through the weights with their sum and moment.
TEST(EmbeddedSurfaces, KeepMomentumInContact) {
  sinew::Setup setup;
  setup.time.step = 2e-3;
  setup.gravity.setZero();
  setup.contact.distance = 1e-3;
  setup.contact.friction = 0.3;
  setup.solver.tolerance = 1e-9;
  setup.bodies.push_back(with_skin("ball", make_sphere(0.05, 0.06), make_sphere(0.05, 0.02)));
  setup.bodies.push_back(with_skin("box", make_box({0.09, 0.07, 0.08}, {1, 1, 1}),
                                   make_box({0.1, 0.08, 0.09}, {4, 3, 4}), Vec3(0.11, 0.01, 0)));
  setup.bodies[0].velocity = Vec3(2, 0.3, 0);
  setup.bodies[0].angular_velocity = Vec3(0, 0, 10);
  Simulation simulation(build_system(std::move(setup)));
  const System& system = simulation.system();
  const Vec3 p = test::linear_momentum(simulation);
  int pressed = 0;
  test::run_checked(simulation, 15, [&](const StepReport& report) {
    if (report.contacts == 0) return;
    ++pressed;
    const NodalForces forces = simulation.forces();
    Vec3 sum = Vec3::Zero(), moment = sum;
    double size = 0;
    for (Index v = 0; v < system.body_vertex_count(); ++v) {
      const Vec3 f = forces.contact.col(v), x = simulation.state().x.col(v);
      sum += f + forces.friction.col(v);
      moment += x.cross(f);  // friction acts across the gap, which leaves a small moment
      size += f.norm();
    }
    EXPECT_LE(sum.norm(), 1e-9 * size);
    EXPECT_LE(moment.norm(), 1e-9 * size);
  });
  EXPECT_GT(pressed, 3);
  EXPECT_LE((test::linear_momentum(simulation) - p).norm(), 1e-6 * p.norm());
}

// A ball of twenty tets whose skin is round rests at the height of the skin's radius, less what its weight presses: the
// tets' own surface, an icosahedron, would come down by a fifth of the radius where it lies on a face.
TEST(EmbeddedSurfaces, ABallRestsOnItsSkin) {
  const double radius = 0.1, distance = 1e-4;
  sinew::Setup setup;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 1;
  setup.contact.distance = distance;
  setup.contact.stiffness = 1e7;
  setup.contact.friction = 0.5;
  setup.contact.slip_speed = 1e-6;
  setup.bodies.push_back(with_skin("ball", make_sphere(radius, 2 * radius), make_sphere(radius, 0.01),
                                   Vec3(0, radius + 0.5 * distance, 0), 1e8));
  ASSERT_EQ(setup.bodies[0].mesh.tet_count(), 20);
  // A face of the icosahedron looks down.
  const Points& x = setup.bodies[0].mesh.vertices;
  const auto face = boundary_triangles(setup.bodies[0].mesh.tets).col(0).eval();
  const Vec3 middle = (x.col(face[0]) + x.col(face[1]) + x.col(face[2])) / 3 - Vec3(0, radius + 0.5 * distance, 0);
  const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(middle, -Vec3::UnitY()).toRotationMatrix();
  for (Points* points : {&setup.bodies[0].mesh.vertices, &setup.bodies[0].collision->vertices}) {
    points->row(1).array() -= radius + 0.5 * distance;
    *points = turn * *points;
    points->row(1).array() += radius + 0.5 * distance;
  }
  setup.obstacles.push_back(test::floor_plane());
  Simulation simulation(build_system(std::move(setup)));
  test::run_checked(simulation, 1);
  const System& system = simulation.system();
  double lowest = 1, lowest_tet = 1;
  for (const Index v : system.collision.vertices) lowest = std::min(lowest, simulation.state().x(1, v));
  for (Index v = 0; v < system.dynamic_count; ++v) lowest_tet = std::min(lowest_tet, simulation.state().x(1, v));
  EXPECT_GT(lowest, 0);
  EXPECT_LT(lowest, distance);
  EXPECT_NEAR(test::center_of_mass(simulation, 0)[1], radius, 2 * distance);
  EXPECT_NEAR(lowest_tet, (1 - 0.7947) * radius, 3 * distance);  // the inradius of an icosahedron: 0.7947 R
  // Its weight is what the floor bears.
  Vec3 borne = Vec3::Zero();
  const NodalForces forces = simulation.forces();
  double mass = 0;
  for (Index v = 0; v < system.body_vertex_count(); ++v) borne += forces.contact.col(v) + forces.friction.col(v);
  for (const double m : system.mass) mass += m;
  EXPECT_NEAR(borne[1], 9.81 * mass, 1e-3 * 9.81 * mass);
}

}  // namespace sinew::embedded_surfaces_test
