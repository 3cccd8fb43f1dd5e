// Coarse surfaces of samples, and contact on them.
#include <cmath>
#include <map>
#include <tuple>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/contact/kinematics.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/surface.h"
#include "sinew/reduced/axis_points.h"
#include "sinew/reduced/coarse_surface.h"
#include "sinew/reduced/handle_hessian.h"
#include "sinew/reduced/reduced_contact.h"

namespace sinew {
namespace {

sinew::Setup ball_on_plane(const char* method, double friction = 0) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("ball", make_sphere(0.1, 0.03), test::material("stable_neo_hookean", 1e5, 0.4), Vec3(0, 0.12, 0)));
  setup.obstacles.push_back(test::floor_plane());
  setup.solver.method = method;
  setup.solver.handles = 4;
  setup.contact.friction = friction;
  return setup;
}

TEST(CoarseSurface, IsClosedAndHasTheAreaOfTheFineOne) {
  const auto system = build_system(ball_on_plane("reduced"));
  for (const Index samples : {20, 60, 150}) {
    const CoarseSurface coarse = make_coarse_surface(*system, samples);
    EXPECT_EQ(coarse.sample_count, samples);
    std::map<std::pair<Index, Index>, int> sides;  // each edge is run through once in each direction
    for (Eigen::Index f = 0; f < coarse.mesh.triangles.cols(); ++f)
      for (int k = 0; k < 3; ++k) ++sides[{coarse.mesh.triangles(k, f), coarse.mesh.triangles((k + 1) % 3, f)}];
    for (const auto& [edge, count] : sides) {
      EXPECT_EQ(count, 1);
      EXPECT_EQ(sides.count({edge.second, edge.first}), 1u);
    }
    double fine_area = 0, coarse_area = 0;
    for (const double area : system->collision.vertex_area) fine_area += area;
    for (const double area : coarse.mesh.vertex_area) coarse_area += area;
    EXPECT_NEAR(coarse_area, fine_area, 1e-12 * fine_area);
  }
}

// As in full space: who asks before the first step is told what the next step starts from.
TEST(ReducedContact, TheStartHasItsEnergyAndItsContacts) {
  for (const char* method : {"newton", "reduced", "mixed"}) {
    sinew::Setup setup = ball_on_plane(method, 0.3);
    setup.bodies[0] =
        test::body("ball", make_sphere(0.1, 0.03), test::material("stable_neo_hookean", 2e5, 0.4), Vec3(0, 0.1005, 0));
    setup.contact.distance = 2e-3;
    const auto system = build_system(std::move(setup));
    Simulation simulation(system);
    const State start = simulation.state();
    const double barrier = simulation.energies().barrier;
    EXPECT_GT(barrier, 0) << method;
    Simulation later(system);
    later.step();
    later.replace(start);
    EXPECT_EQ(later.energies().barrier, barrier) << method;
    // To ask changes no bits.
    Simulation silent(system);
    for (Simulation* one : {&simulation, &silent})
      for (int k = 0; k < 3; ++k) one->step();
    EXPECT_EQ(simulation.state().x, silent.state().x) << method;
  }
}

// A plate comes down on the ball by more than the contact distance a step: it goes on as the ball gives way.
TEST(ReducedContact, AMovingPlatePressesTheBall) {
  for (const char* method : {"reduced", "mixed"}) {
    sinew::Setup setup = ball_on_plane(method, 0.3);
    setup.bodies[0] =
        test::body("ball", make_sphere(0.1, 0.03), test::material("stable_neo_hookean", 2e5, 0.4), Vec3(0, 0.105, 0));
    setup.contact.distance = 1e-3;
    ObstacleSetup plate;
    plate.name = "plate";
    TetMesh box = make_box({0.3, 0.05, 0.3}, {1, 1, 1});
    box.vertices.row(1).array() += 0.24;
    plate.mesh = compacted(box.vertices, boundary_triangles(box.tets));
    plate.motion.translation = Keyframes{{0, 0.3}, MatX{{0, 0}, {0, -0.04}, {0, 0}}};
    setup.obstacles.push_back(plate);
    Simulation simulation(build_system(std::move(setup)));
    for (int step = 0; step < 30; ++step) {
      const StepReport report = simulation.step();
      EXPECT_TRUE(report.converged) << method << " " << step << " " << report.reason;
      EXPECT_LT(report.newton_iterations, 80) << method << " " << step;  // rounds of friction included
      EXPECT_TRUE(report.contacts == 0 || report.min_distance > 1e-6) << report.min_distance;
    }
    // 0.205 - 0.025 - 0.01 m of room are left.
    const auto y = simulation.state().x.row(1).head(simulation.system().dynamic_count);
    EXPECT_LT(y.maxCoeff() - y.minCoeff(), 0.178) << method;
    EXPECT_GT(simulation.energies().elastic, 0.1) << method;
  }
}

// A barrier that holds no weight: gaps shrink until only rounding is left of them, and never to nothing. Such steps may
// fail to converge, which they say.
TEST(ReducedContact, AWeakBarrierIsNeverTouched) {
  for (const char* method : {"reduced", "mixed"}) {
    sinew::Setup setup = ball_on_plane(method);
    setup.contact.stiffness = 1e-14;
    setup.time.substeps = 0;
    Simulation simulation(build_system(std::move(setup)));
    long contacts = 0;
    for (int step = 0; step < 40; ++step) {
      const StepReport report = simulation.step();
      contacts = std::max(contacts, report.contacts);
      EXPECT_TRUE(report.converged || !report.reason.empty()) << method << " " << step;
      EXPECT_GT(report.min_distance, 0) << method << " " << step;
      EXPECT_TRUE(std::isfinite(report.energies.barrier)) << method << " " << step;
    }
    EXPECT_GT(contacts, 0) << method;
  }
}

// The ball comes to rest on the plane, with its weight on the barrier and no sample behind it.
TEST(ReducedContact, ABallComesToRest) {
  for (const char* method : {"reduced", "mixed"}) {
    Simulation simulation(build_system(ball_on_plane(method)));
    const System& system = simulation.system();
    const CoarseSurface coarse = make_coarse_surface(system, 0);
    double lowest = 1;
    for (int step = 0; step < 200; ++step) {
      const StepReport report = simulation.step();
      EXPECT_TRUE(report.converged) << method << " " << step << " " << report.reason;
      for (Index s = 0; s < coarse.sample_count; ++s)
        lowest = std::min(lowest, simulation.state().x(1, coarse.vertex[s]));
      EXPECT_TRUE(report.min_distance > 0);
    }
    EXPECT_GT(lowest, 0);
    EXPECT_LT(lowest, system.contact_distance);
    EXPECT_LT(simulation.energies().kinetic, 1e-4);
    double weight = 0;
    for (const double mass : system.mass) weight += 9.81 * mass;
    EXPECT_NEAR(simulation.forces().contact.row(1).sum(), weight, 0.02 * weight);
  }
}

// Whatever was found and looked at before: energies, gradients and Hessians are those of an object that knows nothing.
TEST(ReducedContact, WhatIsKnownIsWhatWouldBeFound) {
  sinew::Setup setup = ball_on_plane("reduced");
  const double gap = 1e-3;
  setup.contact.distance = gap;
  setup.obstacles[0].motion.translation = Keyframes{{0, 0.01}, MatX{{0, 0}, {0, 0.5 * gap}, {0, 0}}};
  const auto system = build_system(std::move(setup));
  const CoarseSurface coarse = make_coarse_surface(*system, 60);
  AxisRows rows;  // y moves the ball as a whole
  rows.rows = rows.free = 1;
  rows.row = [](int, Index) { return VecX::Ones(1); };
  const auto fresh = [&] {
    return ReducedContact(*system, coarse,
                          std::make_unique<AxisPoints>(rows, make_axis_points(*system, rows, coarse.rows())));
  };
  double lowest = 1;
  for (Index s = 0; s < coarse.sample_count; ++s) lowest = std::min(lowest, system->rest(1, coarse.vertex[s]));
  MatX high = MatX::Zero(1, 3), low = high;
  high(0, 1) = 1.3 * gap - lowest;
  low(0, 1) = 0.8 * gap - lowest;
  CoordinateStep step;
  step.step = step.reference_step = step.time_end = 0.01;
  step.reference = step.predictor = high;
  struct Places {
    Points x;
    std::vector<PlaneState> planes;
  };
  const auto places_at = [&](double time) {
    Places places;
    place_obstacle_vertices(*system, time, places.x);
    planes_at(*system, time, places.planes);
    return places;
  };
  const Places start = places_at(0), end = places_at(0.01);
  StepContext context;
  context.start = context.reference = start.x;
  context.plane_start = context.plane_reference = start.planes;
  context.plane_end = end.planes;
  const auto all_of = [&](ReducedContact& contact, const MatX& y, const Places& places) {
    contact.find(y, places.x, places.planes);
    MatX g = MatX::Zero(1, 3);
    HandleHessian H(rows);
    H.begin(y);
    contact.add_gradient(y, g);
    contact.add_hessian(Projection::psd, H);
    return std::tuple(contact.normal_energy(), g, MatX(H.matrix()), contact.model().contacts().size());
  };
  ReducedContact known = fresh();
  known.check(high, start.x, start.planes);
  known.begin_step(step, high, context, system->contact_stiffness);
  for (const Places* places : {&start, &end}) {
    for (const MatX& y : {high, low, high}) {
      ReducedContact other = fresh();
      other.begin_step(step, high, context, system->contact_stiffness);
      const auto expected = all_of(other, y, *places);
      EXPECT_EQ(all_of(known, y, *places), expected);
      EXPECT_EQ(std::get<3>(expected) > 0, y == low || places == &end);
      const Points none = 0 * places->x;
      EXPECT_EQ(known.max_step(high, high, places->x, none, places->planes, places->planes), 1);
      EXPECT_EQ(all_of(known, y, *places), expected);
    }
  }
}

// A block thrown along the plane stops after v^2 / (2 mu g), to the friction of its landing (newton: 2 % more); without
// friction it does not.
TEST(ReducedContact, FrictionStopsABlock) {
  for (const double friction : {0.0, 0.4}) {
    sinew::Setup setup;
    const TetMesh mesh = make_box(Vec3(0.2, 0.1, 0.2), {4, 2, 4});
    setup.bodies.push_back(
        test::body("block", mesh, test::material("stable_neo_hookean", 1e7, 0.3), Vec3(0, 0.0504, 0)));
    setup.bodies[0].velocity = Vec3(1, 0, 0);
    setup.obstacles.push_back(test::floor_plane());
    setup.solver.method = "reduced";
    setup.solver.handles = 2;
    setup.contact.friction = friction;
    setup.time.step = 0.005;
    Simulation simulation(build_system(std::move(setup)));
    const double start = simulation.state().x.row(0).head(simulation.system().dynamic_count).mean();
    for (int step = 0; step < 100; ++step) simulation.step();
    const double way = simulation.state().x.row(0).head(simulation.system().dynamic_count).mean() - start;
    const double stops = 1 / (2 * 0.4 * 9.81);
    EXPECT_NEAR(way, friction > 0 ? stops : 0.5, 0.06 * (friction > 0 ? stops : 0.5)) << friction;
  }
}

TEST(ReducedContact, AStartBehindAPlaneIsRefused) {
  sinew::Setup setup = ball_on_plane("mixed");
  setup.bodies[0].mesh.vertices.row(1).array() -= 0.05;
  EXPECT_THROW(Simulation(build_system(std::move(setup))), InputError);
}

}  // namespace
}  // namespace sinew
