// Bodies of springs with a stretch_limit: closed forms, the invariant over runs, methods, refused states, motions that
// would tear them.
#include <cmath>
#include <cstring>
#include <functional>

#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/potential/stretch_limit.h"
#include "sinew/solver/diagnosis.h"

namespace sinew::stretch_limit_runs_test {
namespace {

using ::testing::HasSubstr;

constexpr double young = 1e5, thickness = 1e-3, density = 500, limit = 0.1;

FixSetup fixed_where(const BodySetup& body, const std::function<bool(const Vec3&)>& inside) {
  FixSetup fix;
  fix.vertices = test::select_vertices(body.mesh, inside);
  return fix;
}

// A sheet of 0.4 m in the plane z = 0 that hangs from its upper edge.
sinew::Setup hanging(const std::string& method, double stretch_limit, Index cells = 8) {
  sinew::Setup setup;
  setup.bodies.push_back(test::cloth("sheet", make_sheet({0.4, 0.4}, {cells, cells}, Axis::z),
                                     test::springs(young, density, thickness, 0.02, "springs", stretch_limit)));
  setup.bodies[0].fixes = {fixed_where(setup.bodies[0], [](const Vec3& x) { return x.y() > 0.199; })};
  setup.contact.enabled = false;
  setup.time.step = 0.01;
  setup.solver.method = method;
  setup.solver.tolerance = 1e-6;
  setup.solver.iterations = 0;
  setup.solver.max_iterations = 2000;
  return setup;
}

double longest_stretch(const System& system, const Points& x) {
  double most = 0;
  for (const EdgeSpring& spring : system.edge_springs)
    if (!spring.bending) most = std::max(most, (x.col(spring.a) - x.col(spring.b)).norm() / spring.length);
  return most;
}

double apart(const Simulation& a, const Simulation& b) {
  const Index n = a.system().dynamic_count;
  return (a.state().x.leftCols(n) - b.state().x.leftCols(n)).colwise().norm().maxCoeff();
}

// The stretch s at which a chain's edge carries a force F, from the energies per volume E (s - 1)^2 / 2 and C-IPC's
// barrier, whose slope is taken by differences: F l = V (E (s - 1) + b'(s)).
double stretch_under(double force, double stiffness, double length) {
  const double S = 1 + limit, kappa = limit * limit;
  const auto energy = [&](long double s) {
    const long double ratio = (s - 1) / limit;
    return 0.5L * (s - 1) * (s - 1) - kappa * ratio * ratio * std::log((S - s) / limit);
  };
  double low = 1, high = S;
  for (int i = 0; i < 200; ++i) {
    const double s = 0.5 * (low + high);
    const long double h = 1e-4L * std::min<long double>(s - 1, S - s);
    if (!(h > 0)) break;
    const double slope = static_cast<double>((energy(s + h) - energy(s - h)) / (2 * h));
    (stiffness * length * slope < force ? low : high) = s;
  }
  return 0.5 * (low + high);
}

// Springs along y alone: each edge carries what hangs below, from hardly any to thousands of times what the springs
// without a limit would bear at this stretch.
TEST(StretchLimitRuns, AChainStretchesByWhatHangsBelow) {
  for (const double weight : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3}) {
    SCOPED_TRACE(weight);
    sinew::Setup setup;
    setup.bodies.push_back(test::cloth("strip", make_sheet({0.1, 1}, {1, 5}, Axis::z),
                                       test::springs(young, density, thickness, 0, "springs", limit)));
    setup.bodies[0].fixes = {fixed_where(setup.bodies[0], [](const Vec3& x) { return x.y() > 0.499; })};
    setup.contact.enabled = false;
    setup.gravity = Vec3(0, -9.81 * weight, 0);
    setup.time.step = 1e3;  // implicit Euler comes to rest at once
    setup.solver.method = "newton";
    setup.solver.tolerance = 1e-13;
    setup.solver.max_iterations = 500;
    const std::shared_ptr<System> system = build_system(std::move(setup));
    std::erase_if(system->edge_springs,
                  [&](const EdgeSpring& s) { return std::abs(system->rest(0, s.a) - system->rest(0, s.b)) > 1e-6; });
    Simulation simulation(system);
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(simulation.step().converged);
    for (const EdgeSpring& spring : system->edge_springs) {
      const Index lower = system->rest(1, spring.a) > system->rest(1, spring.b) ? spring.b : spring.a;
      double below = 0;
      for (Index i = 0; i < system->dynamic_count; ++i)
        if (std::abs(system->rest(0, i) - system->rest(0, lower)) < 1e-6 &&
            system->rest(1, i) <= system->rest(1, lower) + 1e-9)
          below += system->mass[i];
      const double s = (simulation.state().x.col(spring.a) - simulation.state().x.col(spring.b)).norm() / spring.length;
      const double expected = stretch_under(below * 9.81 * weight, spring.stiffness, spring.length);
      EXPECT_NEAR(s - 1, expected - 1, 1e-6 * (expected - 1));
      EXPECT_NEAR((1 + limit) - s, (1 + limit) - expected, 1e-5 * ((1 + limit) - expected) + 1e-12);
    }
  }
}

// A sheet under a load 40 times as large as the one that would stretch it by the limit without a barrier.
TEST(StretchLimitRuns, NoStepPassesTheLimit) {
  for (const char* method : {"newton", "newton-pcg", "quasi_newton"}) {
    SCOPED_TRACE(method);
    const auto loaded = [&](double stretch_limit) {
      sinew::Setup setup = hanging(method, stretch_limit);
      setup.solver.tolerance = 1e-3;
      LoadSetup weight;
      weight.faces = setup.bodies[0].mesh.triangles;
      weight.vector = Vec3(0, -1000, 0);  // [Pa]
      setup.bodies[0].loads = {weight};
      return setup;
    };
    Simulation free(build_system(loaded(0))), limited(build_system(loaded(limit)));
    double most_free = 0, most = 0;
    for (int k = 0; k < 20; ++k) {
      const StepReport report = limited.step();
      EXPECT_TRUE(report.converged) << k << ": " << report.reason;
      free.step();
      most = std::max(most, longest_stretch(limited.system(), limited.state().x));
      most_free = std::max(most_free, longest_stretch(free.system(), free.state().x));
      ASSERT_TRUE(overstretched(limited.system(), limited.state().x).empty());
    }
    EXPECT_LT(most, 1 + limit);
    EXPECT_GT(most, 1 + 0.95 * limit);
    EXPECT_GT(most_free, 2);
  }
}

TEST(StretchLimitRuns, MethodsAgree) {
  for (const bool tets : {false, true}) {
    const auto scene = [&](const std::string& method) {
      sinew::Setup setup = hanging(method, 0.02);
      if (tets) {
        setup.bodies[0] = test::body("beam", make_box(Vec3(0.4, 0.1, 0.1), {6, 2, 2}),
                                     test::springs(young, 1000, 0, 0, "springs", 0.02));
        setup.bodies[0].fixes = {fixed_where(setup.bodies[0], [](const Vec3& x) { return x.x() < -0.199; })};
      }
      setup.bodies[0].damping_stiffness = 1e-3;
      setup.gravity = Vec3(1, -30, 2);
      return setup;
    };
    Simulation newton(build_system(scene("newton")));
    Simulation pcg(build_system(scene("newton-pcg"))), quasi(build_system(scene("quasi_newton")));
    for (int k = 0; k < 8; ++k) {
      ASSERT_TRUE(newton.step().converged);
      for (Simulation* other : {&pcg, &quasi}) {
        const StepReport report = other->step();
        EXPECT_TRUE(report.converged) << report.reason;
        EXPECT_LT(apart(newton, *other), 3 * 1e-6 * 0.01) << k;
        other->replace(newton.state());
      }
    }
    EXPECT_GT(longest_stretch(newton.system(), newton.state().x), 1.01);
  }
}

TEST(StretchLimitRuns, EnergyIsOneOfElasticity) {
  Simulation simulation(build_system(hanging("newton", limit)));
  for (int k = 0; k < 15; ++k) simulation.step();
  double expected = 0;
  for (const EdgeSpring& spring : simulation.system().edge_springs) {
    const double length = (simulation.state().x.col(spring.a) - simulation.state().x.col(spring.b)).norm();
    const double e = length - spring.length;
    expected += 0.5 * spring.stiffness * e * e;
    if (spring.longest > 0 && e > 0)
      expected -= spring.stiffness * e * e * std::log(1 - e / (spring.longest - spring.length));
  }
  EXPECT_NEAR(simulation.energies().elastic, expected, 1e-10 * expected);
  EXPECT_LT(simulation.forces().elastic.rowwise().sum().norm(), 1e-9);
}

// Two opposite edges drawn apart by 30 % in one second, three times the limit.
sinew::Setup torn(const std::string& method) {
  sinew::Setup setup = hanging(method, limit, 5);
  FixSetup drawn = fixed_where(setup.bodies[0], [](const Vec3& x) { return x.y() < -0.199; });
  drawn.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << Vec3::Zero(), Vec3(0, -0.12, 0)).finished()};
  setup.bodies[0].fixes.push_back(drawn);
  setup.solver.max_iterations = 100;
  setup.time.step = 0.05;
  return setup;
}

TEST(StretchLimitRuns, MotionThatWouldTearItEndsWithItsCause) {
  for (const char* method : {"newton", "newton-pcg", "quasi_newton"}) {
    SCOPED_TRACE(method);
    Simulation simulation(build_system(torn(method)));
    int converged = 0;
    StepReport report;
    for (; converged < 20; ++converged) {
      report = simulation.step();
      ASSERT_TRUE(overstretched(simulation.system(), simulation.state().x).empty());
      if (!report.converged) break;
    }
    EXPECT_GE(converged, 5);
    EXPECT_LE(converged, 7);  // the limit is reached after a third of a second
    ASSERT_TRUE(report.diagnosis);
    const Diagnosis& d = *report.diagnosis;
    EXPECT_EQ(d.cause, Cause::stretch_limit) << report.reason << details_text(d);
    EXPECT_EQ(d.body, "sheet");
    EXPECT_THAT(d.advice, testing::ContainsRegex("the edge between vertices [0-9]+ and [0-9]+ of body 'sheet' is at "
                                                 "1.[01][0-9]* of its rest length, with the limit 1.1"));
    EXPECT_THAT(d.advice, HasSubstr("raise the material's stretch_limit"));
    EXPECT_LE(d.iterations, 100);
  }
}

TEST(StretchLimitRuns, StatesBeyondTheLimitAreRefused) {
  Simulation simulation(build_system(hanging("newton", limit)));
  Points x = simulation.system().to_user(simulation.state().x);
  const Points before = simulation.state().x;
  for (Index i = 0; i < x.cols(); ++i)
    if (x(1, i) < 0.199) x(1, i) -= 0.02;
  EXPECT_THAT([&] { simulation.set_positions(simulation.system().from_user(x)); },
              testing::ThrowsMessage<InputError>(testing::AllOf(
                  HasSubstr("of body 'sheet' is at 1."), HasSubstr("of its rest length, with the limit 1.1, and "),
                  HasSubstr("start less stretched, or raise the material's stretch_limit"))));
  EXPECT_EQ(simulation.state().x, before);
  EXPECT_TRUE(simulation.step().converged);
}

TEST(StretchLimitRuns, LimitsChangeBetweenSteps) {
  const std::shared_ptr<System> system = build_system(hanging("newton", limit));
  Simulation simulation(system);
  simulation.allow_changes(system);
  simulation.edit(ScalarEdit{"gravity", {0, -200, 0}});
  for (int k = 0; k < 15; ++k) EXPECT_TRUE(simulation.step().converged);
  const double tight = longest_stretch(*system, simulation.state().x);
  EXPECT_GT(tight, 1.06);
  EXPECT_THAT(
      [&] {
        simulation.edit(MaterialEdit{"springs", {{"young", {young}}, {"stretch_limit", {0.05}}}});
      },
      testing::ThrowsMessage<InputError>(HasSubstr("materials.springs.stretch_limit: found 0.05, but the edge")));
  EXPECT_NEAR(longest_stretch(*system, simulation.state().x), tight, 0);
  simulation.edit(MaterialEdit{"springs", {{"young", {young}}, {"stretch_limit", {0.6}}}});
  double loose = 0;
  for (int k = 0; k < 15; ++k) {
    EXPECT_TRUE(simulation.step().converged);
    loose = std::max(loose, longest_stretch(*system, simulation.state().x));
  }
  EXPECT_GT(loose, 1.15);
  EXPECT_LT(loose, 1.6);
  // A checkpoint knows the limit, and goes on with the same bits.
  ArchiveWriter archive("unused", "checkpoint");
  simulation.save(archive);
  const std::shared_ptr<System> other = build_system(hanging("newton", limit));
  Simulation resumed(other);
  resumed.allow_changes(other);
  resumed.load(ArchiveReader::from_bytes(archive.bytes(), "checkpoint", "file.h5"));
  for (std::size_t s = 0; s < system->edge_springs.size(); ++s)
    EXPECT_EQ(other->edge_springs[s].longest, system->edge_springs[s].longest);
  for (int k = 0; k < 5; ++k) simulation.step(), resumed.step();
  EXPECT_EQ(
      std::memcmp(simulation.state().x.data(), resumed.state().x.data(), sizeof(double) * simulation.state().x.size()),
      0);
}

TEST(StretchLimitRuns, ThreadsDoNotChangeBits) {
  const auto run = [](int threads) {
    const ThreadLimit thread_limit(threads);
    sinew::Setup setup = hanging("newton", limit, 20);
    setup.solver.tolerance = 1e-3;
    setup.gravity = Vec3(0, -100, 5);
    Simulation simulation(build_system(std::move(setup)));
    for (int k = 0; k < 8; ++k) simulation.step();
    return simulation.state().x;
  };
  const Points one = run(1), two = run(2);
  EXPECT_EQ(std::memcmp(one.data(), two.data(), sizeof(double) * one.size()), 0);
}

}  // namespace
}  // namespace sinew::stretch_limit_runs_test
