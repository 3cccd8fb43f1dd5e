// Reduced and mixed simulations whose prescribed vertices and obstacles move far in a step: bodies go along.
#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/contact/kinematics.h"
#include "sinew/core/archive.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/surface.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew::reduced_prescribed_motion_test {

struct Variant {
  const char* method;
  const char* subspace;
  int handles;
};
constexpr Variant variants[] = {
    {"reduced", "inertia_derivatives", 15}, {"reduced", "eigenmodes", 10}, {"mixed", "eigenmodes", 10}};

sinew::Setup base(const Variant& variant) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.solver.method = variant.method;
  setup.solver.subspace = variant.subspace;
  setup.solver.handles = variant.handles;
  // The default of scenes. With modal_forces it depends on the points, which rounding chooses, whether tets invert.
  if (is_dense_subspace(variant.subspace)) setup.solver.cubature_rule = "energies";
  return setup;
}

// One end of a bar turns by 40 degrees a step, once about. Positions whose prescribed part alone has moved on invert
// tets.
sinew::Setup turning(const Variant& variant) {
  sinew::Setup setup = base(variant);
  const TetMesh mesh = make_box(Vec3(1, 0.2, 0.2), {20, 4, 4});
  BodySetup bar = test::body("bar", mesh, test::material("neo_hookean", 1e5, 0.4));
  for (const double end : {-1.0, 1.0}) {
    FixSetup fix;
    fix.vertices = test::select_vertices(mesh, [&](const Vec3& x) { return end * x[0] > 0.499; });
    if (end > 0) {
      Motion::Rotation rotation;
      rotation.axis = Vec3::UnitX();
      rotation.degrees = Keyframes{{0, 0.1}, MatX{{0, 400}}};
      fix.motion.rotation = rotation;
    }
    bar.fixes.push_back(fix);
  }
  setup.bodies.push_back(std::move(bar));
  setup.contact.enabled = false;
  setup.gravity.setZero();
  return setup;
}

TEST(ReducedPrescribedMotion, FastTurnsInvertNothing) {
  for (const Variant& variant : variants) {
    Simulation simulation(build_system(turning(variant)));
    for (int step = 0; step < 10; ++step) {
      const StepReport report = simulation.step();
      EXPECT_TRUE(report.converged) << variant.method << " " << variant.subspace << " " << step << " " << report.reason;
      EXPECT_GT(report.min_jacobian, 0);
      EXPECT_LT(report.newton_iterations, 40);
    }
    const System& system = simulation.system();
    for (const PrescribedVertex& prescribed : system.prescribed) {
      const Vec3 target =
          system.motions[prescribed.motion].apply(system.rest.col(prescribed.vertex), simulation.clock().time);
      EXPECT_LT((simulation.state().x.col(prescribed.vertex) - target).norm(), 1e-12);
    }
  }
}

// A plate presses a bar onto a plane, by many times the gap in each step, to less than half of its height.
sinew::Setup pressed(const Variant& variant, double friction) {
  sinew::Setup setup = base(variant);
  const TetMesh mesh = make_box(Vec3(1, 0.2, 0.2), {8, 2, 2});
  setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e5, 0.4), Vec3(0, 0.101, 0)));
  setup.obstacles.push_back(test::floor_plane());
  ObstacleSetup plate;
  plate.name = "plate";
  const TetMesh block = make_box(Vec3(3, 0.1, 3), {1, 1, 1});
  plate.mesh = compacted(block.vertices, boundary_triangles(block.tets));
  plate.mesh->vertices.row(1).array() += 0.252;
  plate.motion.translation = Keyframes{{0, 0.3}, MatX{{0, 0}, {0, -0.11}, {0, 0}}};
  setup.obstacles.push_back(std::move(plate));
  setup.contact.friction = friction;
  setup.gravity.setZero();
  return setup;
}

TEST(ReducedPrescribedMotion, APressedBarGivesWay) {
  for (const Variant& variant : variants) {
    for (const double friction : {0.0, 0.5}) {
      Simulation simulation(build_system(pressed(variant, friction)));
      for (int step = 0; step < 34; ++step) {
        const StepReport report = simulation.step();
        EXPECT_TRUE(report.converged) << variant.method << " " << variant.subspace << " friction " << friction << " "
                                      << step << " " << report.reason;
        EXPECT_GT(report.min_distance, 0);
        EXPECT_GT(report.contact_stiffness, 0);
        EXPECT_GT(report.min_jacobian, 0);
      }
      const Points& x = simulation.state().x;
      const auto heights = x.row(1).head(simulation.system().dynamic_count);
      EXPECT_GT(heights.minCoeff(), 0);
      EXPECT_LT(heights.maxCoeff(), 0.092);
    }
  }
}

// A step that did not converge says where and why, by the forces on all vertices.
TEST(ReducedPrescribedMotion, FailedStepsAreDiagnosed) {
  for (const Variant& variant : variants) {
    sinew::Setup setup = pressed(variant, 0.5);
    setup.solver.max_iterations = 1;
    Simulation simulation(build_system(std::move(setup)));
    for (int step = 0; step < 4; ++step) {
      const StepReport report = simulation.step();
      ASSERT_FALSE(report.converged);
      ASSERT_TRUE(report.diagnosis);
      const Diagnosis& d = *report.diagnosis;
      // The plate arrives in its one iteration, or does not.
      EXPECT_TRUE(d.cause == Cause::too_few_iterations || d.cause == Cause::slow_motion) << cause_name(d.cause);
      EXPECT_EQ(d.reason, report.reason);
      EXPECT_EQ(d.body, "bar");
      EXPECT_FALSE(d.advice.empty());
      EXPECT_EQ(d.forces.size(), 4);  // inertia with loads, elastic, contact, friction
      EXPECT_GT(d.forces[0].second, 0);
      EXPECT_EQ(d.iterations, 1);
    }
  }
}

// A plate that lags behind a step that failed goes on from where it is, also out of a checkpoint.
TEST(ReducedPrescribedMotion, ObstaclesThatLagAreSaved) {
  for (const Variant& variant : variants) {
    sinew::Setup setup = pressed(variant, 0.5);
    setup.time.step = 0.05;
    setup.solver.max_iterations = 1;
    const auto system = build_system(std::move(setup));
    Simulation simulation(system), loaded(system);
    bool lagged = false;
    for (int step = 0; step < 4; ++step) {
      const bool failed = !simulation.step().converged;
      const auto plate = simulation.state().x.rightCols(system->vertex_count() - system->dynamic_count);
      Points there = simulation.state().x;
      place_obstacles(*system, simulation.clock().time, there);
      lagged |= failed && plate != there.rightCols(plate.cols());
    }
    EXPECT_TRUE(lagged) << variant.method << " " << variant.subspace;
    ArchiveWriter archive("unused", "checkpoint");
    simulation.save(archive);
    loaded.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "file.h5"));
    EXPECT_EQ(loaded.state().x, simulation.state().x);
    for (int step = 0; step < 3; ++step) {
      simulation.step();
      loaded.step();
      EXPECT_EQ(loaded.state().x, simulation.state().x) << variant.method << " " << variant.subspace;
    }
  }
}

// Steps of a budget end once the plate is where it should be.
TEST(ReducedPrescribedMotion, BudgetsWaitForObstacles) {
  for (const Variant& variant : variants) {
    sinew::Setup setup = pressed(variant, 0.5);
    setup.solver.iterations = 1;
    const auto system = build_system(std::move(setup));
    Simulation simulation(system);
    for (int step = 0; step < 12; ++step) {
      const StepReport report = simulation.step();
      EXPECT_TRUE(!report.failed() && (report.budget || report.newton_iterations < 3)) << report.reason;
      Points there = simulation.state().x;
      place_obstacles(*system, simulation.clock().time, there);
      EXPECT_EQ(simulation.state().x, there) << variant.method << " " << variant.subspace << " " << step;
    }
  }
}

// Steps that end as converged are those of a tolerance a thousand times tighter. Without friction, whose forces may be
// off by the tolerance of its rounds.
TEST(ReducedPrescribedMotion, ConvergedStepsAreNear) {
  for (const Variant& variant : variants) {
    constexpr double tolerance = 1e-3;
    sinew::Setup tight = pressed(variant, 0), loose = pressed(variant, 0);
    loose.solver.tolerance = tolerance;
    tight.solver.tolerance = 1e-3 * tolerance;
    tight.solver.max_iterations = 2000;
    Simulation a(build_system(std::move(loose))), b(build_system(std::move(tight)));
    for (int step = 0; step < 10; ++step) {
      b.replace(a.state());
      EXPECT_TRUE(a.step().converged);
      const StepReport exact = b.step();
      EXPECT_TRUE(exact.converged) << variant.method << " " << variant.subspace << " " << step << " " << exact.reason;
      const double off = (a.state().x - b.state().x).colwise().norm().maxCoeff() / 0.01;
      EXPECT_LT(off, 3 * tolerance) << variant.method << " " << variant.subspace << " " << step;
    }
  }
}

}  // namespace sinew::reduced_prescribed_motion_test
