// The same bits for any number of threads, whatever memory held, and for a run that was saved and taken up again.
#include <algorithm>
#include <cstring>

#include "dynamics/allocations.h"
#include "support/bodies.h"
#include "support/run.h"

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr int steps = 12;

// The method of the solver, or "convergent": newton with convergent contact.
void choose(const std::string& method, sinew::Setup& setup) {
  setup.solver.method = method == "convergent" ? "newton" : method;
  if (method == "convergent") setup.contact.model = ContactKind::convergent;
}

// Two soft bodies that hit each other and the floor at once, with friction, damping, a face whose motion is prescribed
// and a spring.
std::shared_ptr<const System> collision(const std::string& method, Integrator integrator) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.time.integrator = integrator;
  choose(method, setup);
  setup.solver.handles = 60;  // which ones touch changes from step to step
  if (method == "reduced" || method == "mixed") setup.solver.handles = 6;
  setup.solver.multilevel.cache = false;
  setup.solver.tolerance = 1e-3;
  setup.contact.distance = 2e-3;
  setup.contact.friction = 0.4;
  setup.bodies.push_back(test::body("slab", make_box(Vec3(0.4, 0.1, 0.4), {10, 3, 10}),
                                    test::material("neo_hookean", 4e4, 0.4), Vec3(0, 0.0525, 0)));
  setup.bodies.push_back(test::body("ball", make_sphere(0.1, 0.03), test::material("stable_neo_hookean", 1e5, 0.45),
                                    Vec3(0.03, 0.21, 0.01)));
  setup.bodies[0].damping_stiffness = 1e-3;
  setup.bodies[1].velocity = Vec3(1, -2, 0);
  setup.bodies[1].angular_velocity = Vec3(0, 0, -8);
  FixSetup prescribed;
  prescribed.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& v) { return v.x() < -0.1999; });
  prescribed.motion.translation = Keyframes{{0, 0.12}, (MatX(3, 2) << 0, 0.02, 0, 0, 0, 0).finished()};
  setup.bodies[0].fixes = {prescribed};
  setup.obstacles.push_back(test::floor_plane());
  return build_system(std::move(setup));
}

struct RunOutcome {
  State state;
  std::vector<Energies> energies;  // of each step
};

RunOutcome after_steps(Simulation simulation, int count) {
  RunOutcome outcome;
  for (int s = 0; s < count; ++s) outcome.energies.push_back(simulation.step().energies);
  outcome.state = simulation.state();
  return outcome;
}

bool same_bits(const Points& a, const Points& b) {
  return a.cols() == b.cols() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

void expect_same(const RunOutcome& a, const RunOutcome& b) {
  EXPECT_TRUE(same_bits(a.state.x, b.state.x));
  EXPECT_TRUE(same_bits(a.state.v, b.state.v));
  ASSERT_EQ(a.energies.size(), b.energies.size());
  for (std::size_t s = 0; s < a.energies.size(); ++s) {
    EXPECT_EQ(a.energies[s].kinetic, b.energies[s].kinetic) << s;
    EXPECT_EQ(a.energies[s].elastic, b.energies[s].elastic) << s;
    EXPECT_EQ(a.energies[s].barrier, b.energies[s].barrier) << s;
    EXPECT_EQ(a.energies[s].friction, b.energies[s].friction) << s;
  }
}

class Determinism : public testing::TestWithParam<const char*> {};

TEST_P(Determinism, ThreadsDoNotChangeBits) {
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    Simulation simulation(collision(GetParam(), Integrator::bdf2));
    RunOutcome outcome;
    long contacts = 0;
    // quasi_newton has a budget; contact of subspaces is that of samples, between which fine surfaces may cross.
    const std::string method = GetParam();
    const bool checked = method != "quasi_newton" && method != "reduced" && method != "mixed";
    for (int s = 0; s < steps; ++s) {
      const StepReport report = checked ? test::checked_step(simulation) : simulation.step();
      contacts = std::max(contacts, report.contacts);
      outcome.energies.push_back(report.energies);
    }
    EXPECT_GT(contacts, 30);
    outcome.state = simulation.state();
    return outcome;
  };
  const RunOutcome one = run(1), two = run(2);
  expect_same(one, two);
  expect_same(two, run(2));
}

// In statics, down to where rounding decides when the iterations end.
RunOutcome after_load_steps(const std::string& method, int threads) {
  const ThreadLimit limit(threads);
  sinew::Setup setup;
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 4;
  setup.contact.enabled = false;
  choose(method, setup);
  setup.solver.handles = 2;
  setup.solver.cubature_rule = "all";
  setup.solver.multilevel.cache = false;
  setup.solver.tolerance = 1e-13;
  if (setup.solver.method != "quasi_newton") setup.solver.iterations = 0;
  const TetMesh mesh = make_box(Vec3(0.3, 0.1, 0.12), {12, 4, 4});  // several chunks of every sum
  setup.bodies.push_back(test::body("bar", mesh, test::material("stable_neo_hookean", 2e4, 0.35)));
  for (const double side : {-1.0, 1.0}) {
    FixSetup fix;
    fix.vertices = test::select_vertices(mesh, [&](const Vec3& v) { return side * v.x() > 0.1499; });
    if (side > 0)
      fix.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << Vec3::Zero(), Vec3(0.05, 0.02, 0.03)).finished()};
    setup.bodies[0].fixes.push_back(fix);
  }
  return after_steps(Simulation(build_system(std::move(setup))), 4);
}

TEST_P(Determinism, ThreadsDoNotChangeBitsOfLoadSteps) {
  expect_same(after_load_steps(GetParam(), 1), after_load_steps(GetParam(), 2));
}

// Memory that nothing was written to holds zeros or, read as numbers, NaN.
TEST_P(Determinism, MemoryDoesNotChangeBits) {
  if (!test::allocations_are_seen) GTEST_SKIP() << "a sanitizer has the functions of the heap";
  RunOutcome moved[2], loaded[2];
  for (const int k : {0, 1}) {
    const test::FilledMemory memory(k == 0 ? 0x00 : 0xff);
    moved[k] = after_steps(Simulation(collision(GetParam(), Integrator::bdf2)), steps);
    loaded[k] = after_load_steps(GetParam(), 2);
  }
  expect_same(moved[0], moved[1]);
  expect_same(loaded[0], loaded[1]);
}

TEST_P(Determinism, ASavedRunGoesOnWithTheSameBits) {
  std::string saved;
  const auto system = collision(GetParam(), Integrator::bdf2);
  Simulation whole(system);
  for (int s = 0; s < steps; ++s) {
    whole.step();
    if (s + 1 == steps / 2) {
      ArchiveWriter archive("", "checkpoint");
      whole.save(archive);
      saved = archive.bytes();
    }
  }
  Simulation resumed(collision(GetParam(), Integrator::bdf2));
  resumed.load(ArchiveReader::from_bytes(saved, "checkpoint", "memory"));
  EXPECT_EQ(resumed.state().step, steps / 2);
  for (int s = steps / 2; s < steps; ++s) resumed.step();
  EXPECT_TRUE(same_bits(whole.state().x, resumed.state().x));
  EXPECT_TRUE(same_bits(whole.state().v, resumed.state().v));
  EXPECT_EQ(whole.energies().elastic, resumed.energies().elastic);
  EXPECT_TRUE(same_bits(whole.forces().contact, resumed.forces().contact));
  EXPECT_TRUE(same_bits(whole.forces().friction, resumed.forces().friction));
}

INSTANTIATE_TEST_SUITE_P(Methods, Determinism,
                         testing::Values("newton", "newton-pcg", "newton-multilevel", "multilevel", "adaptive",
                                         "quasi_newton", "reduced", "mixed", "convergent"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sinew
