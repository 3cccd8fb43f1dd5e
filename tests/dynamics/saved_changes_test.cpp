// Changes between steps in checkpoints: who loads one goes on with the same bits, and damaged entries are refused.
#include <functional>

#include "support/bodies.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/primitives.h"
#include "sinew/model/edit.h"

namespace sinew {
namespace {

// A bar that hangs at one end, with a force and a spring at the other.
sinew::Setup hanging_bar(const std::string& method) {
  sinew::Setup setup;
  BodySetup body;
  body.name = "bar";
  const TetMesh mesh = make_box({0.4, 0.1, 0.1}, {6, 2, 2});
  body.mesh = mesh;
  MaterialAssignment soft = test::material("stable_neo_hookean", 1e5, 0.4);
  soft.name = "soft";
  soft.fiber_stiffness = {1e4};
  soft.fiber_direction = Vec3(Vec3::UnitX());
  soft.fiber_tension = 2e4;
  body.materials = {soft};
  body.fixes.push_back(
      {test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.199; }), {true, true, true}, {}, forever});
  SpringSetup spring;
  spring.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] > 0.199; });
  spring.point = Vec3(0.3, 0.1, 0);
  spring.stiffness = 5;
  body.springs.push_back(spring);
  setup.bodies.push_back(body);
  setup.contact.enabled = false;
  setup.solver.method = method;
  setup.solver.handles = 4;
  return setup;
}

struct HangingBar {
  std::shared_ptr<System> system;
  Simulation simulation;
  explicit HangingBar(const std::string& method) : system(build_system(hanging_bar(method))), simulation(system) {
    simulation.allow_changes(system);
  }
};

std::vector<Index> fixed_vertices(const System& system) {
  std::vector<Index> found;
  for (const PrescribedVertex& prescribed : system.prescribed) found.push_back(prescribed.vertex);
  return found;
}

std::string saved(const Simulation& simulation) {
  ArchiveWriter archive("unused", "checkpoint");
  simulation.save(archive);
  return archive.bytes();
}

void load(Simulation& simulation, const std::string& bytes) {
  simulation.load(ArchiveReader::from_bytes(bytes, "checkpoint", "file.h5"));
}

struct Case {
  const char* name;
  std::function<void(Simulation&)> change;
};

const Case cases[] = {
    {"Gravity",
     [](Simulation& s) {
       s.edit(ScalarEdit{"gravity", {1, -5, 0}});
     }},
    {"TimeStep",
     [](Simulation& s) {
       s.edit(ScalarEdit{"time.step", {0.007}});
     }},
    {"Iterations",
     [](Simulation& s) {
       s.edit(ScalarEdit{"solver.iterations", {2}});
     }},
    {"Material",
     [](Simulation& s) {
       s.edit(MaterialEdit{"soft", {{"young", {3e5}}, {"poisson", {0.2}}}});
     }},
    {"Pulls",
     [](Simulation& s) {
       s.edit(PullEdit{{0, 20}, Pull{20, Vec3(0, 0.2, 0), 30}});
       s.edit(PullEdit{{2, 1}, Pull{7, Vec3(0, 0, 0.3), 10}});
     }},
    {"Spring",
     [](Simulation& s) {
       s.edit(SpringEdit{0, {0.4, 0.2, 0}, 20});
     }},
    {"SpringLength",
     [](Simulation& s) {
       s.edit(SpringEdit{0, {0.4, 0.2, 0}, 20});
       s.edit(spring_edits(s.system(), 0, std::int64_t{0}, {.length = 0.02, .stiffness = {}, .point = {}}));
     }},
    {"Target",
     [](Simulation& s) {
       Course::Map map = Course::Map::Identity();
       map.col(3) = Vec3(0.01, 0.02, 0);
       s.edit(fix_target(s.system(), 0, 0, {.positions = {}, .transform = map, .velocity = {}}, s.next_step()));
     }},
    {"Velocity",
     [](Simulation& s) {
       const Target target{.positions = {}, .transform = {}, .velocity = Vec3(0.1, 0.3, 0)};
       s.edit(fix_target(s.system(), 0, 0, target, s.next_step()));
       s.step();
       s.edit(fix_target(s.system(), 0, 0, target, s.next_step()));
     }},
    {"Activation",
     [](Simulation& s) {
       s.edit(ActivationEdit{"soft", 0.5});
     }},
    {"AddedForce",
     [](Simulation& s) {
       s.edit(added_force(s.system(), std::vector<Index>{20, 7}, Points{{1, 0}, {0, 2}, {0, 1}}, s.next_step()));
     }},
    {"Release", [](Simulation& s) { s.release(fixed_vertices(s.system())); }},
    {"ReleaseThenMaterial",
     [](Simulation& s) {
       s.release(fixed_vertices(s.system()));
       s.step();
       s.edit(MaterialEdit{"soft", {{"young", {3e5}}, {"poisson", {0.2}}}});
     }},
    {"MaterialThenRelease",
     [](Simulation& s) {
       s.edit(MaterialEdit{"soft", {{"young", {3e5}}, {"poisson", {0.2}}}});
       s.release(fixed_vertices(s.system()));
     }},
    {"Method",
     [](Simulation& s) {
       s.edit(MaterialEdit{"soft", {{"young", {3e5}}, {"poisson", {0.2}}}});
       s.edit(MethodEdit{s.subspace() ? "newton" : "reduced"});
       s.edit(MaterialEdit{"soft", {{"young", {2e5}}, {"poisson", {0.3}}}});
     }},
    {"Formulation",
     [](Simulation& s) {
       s.edit(MethodEdit{"mixed"});
       s.step();
       s.edit(ScalarEdit{"gravity", {0, -3, 1}});
     }},
};

// A subspace refuses to hold vertices (Changes.HeldVertices), and positions that no affine map gives.
const Case holds[] = {
    {"Positions",
     [](Simulation& s) {
       const FixEntry& fix = s.system().bodies[0].fixes[0];
       Points positions = Points::Random(3, static_cast<Index>(fix.vertices.size())) * 0.003;
       for (const PrescribedVertex& p : s.system().prescribed) positions.col(p.place) += s.system().rest.col(p.vertex);
       s.edit(fix_target(s.system(), 0, 0, {.positions = positions, .transform = {}, .velocity = {}}, s.next_step()));
     }},
    {"Hold",
     [](Simulation& s) {
       s.hold({3, 5, 40});
     }},
    {"HoldAndRelease",
     [](Simulation& s) {
       s.hold({3, 5, 40});
       s.step();
       s.release({5});
       s.edit(ScalarEdit{"gravity", {0, -3, 1}});
     }},
};

class SavedChanges : public testing::TestWithParam<std::tuple<const char*, Case>> {};

// Saved at once, before the change has acted, and a step later; and what was loaded is saved again.
TEST_P(SavedChanges, GoOnWithTheSameBits) {
  const auto& [method, one] = GetParam();
  HangingBar whole(method);
  for (int k = 0; k < 3; ++k) whole.simulation.step();
  one.change(whole.simulation);
  for (int later = 0; later < 2; ++later) {
    HangingBar loaded(method), again(method);
    load(loaded.simulation, saved(whole.simulation));
    load(again.simulation, saved(loaded.simulation));
    for (HangingBar* run : {&whole, &loaded, &again})
      for (int k = 0; k < 2; ++k) run->simulation.step();
    for (const HangingBar* run : {&loaded, &again}) {
      EXPECT_EQ(whole.simulation.state().x, run->simulation.state().x);
      EXPECT_EQ(whole.simulation.state().v, run->simulation.state().v);
      EXPECT_EQ(whole.simulation.clock().time, run->simulation.clock().time);
    }
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<const char*, Case>>& info) {
  return std::string(std::get<0>(info.param)) + std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(, SavedChanges,
                         testing::Combine(testing::Values("newton", "multilevel", "reduced"), testing::ValuesIn(cases)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Holds, SavedChanges,
                         testing::Combine(testing::Values("newton", "multilevel"), testing::ValuesIn(holds)), name_of);

using Write = std::function<void(ArchiveWriter&)>;

// The archive of a simulation without changes, with entries of its own beside.
std::string with_entries(const Write& write) {
  const HangingBar run("newton");
  ArchiveWriter archive("unused", "checkpoint");
  run.simulation.save(archive);
  write(archive);
  return archive.bytes();
}

// With edits, and with edits before the method was set up.
std::string with_edits(const Edits& edits, const Edits& set_up = {}) {
  const HangingBar run("newton");
  return with_entries([&](ArchiveWriter& archive) {
    edits.save(archive, "changes/", *run.system);
    set_up.save(archive, "changes/set_up/", *run.system);
  });
}

Edits only(const Edit& edit) {
  Edits edits;
  edits.add(edit);
  return edits;
}

std::string refusal(const std::string& bytes, bool shared = false) {
  HangingBar run("newton");
  if (shared) run.simulation.allow_changes(nullptr);
  try {
    load(run.simulation, bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(DamagedChanges, AreRefusedByTheirEntry) {
  using testing::StartsWith;
  EXPECT_EQ(refusal(with_entries([](ArchiveWriter& archive) {
              archive.write("changes/pulls/vertices", std::span<const Index>(std::vector<Index>{100000}));
              archive.write("changes/pulls/targets", Points(Points::Zero(3, 1)));
              archive.write("changes/pulls/stiffness", 1.0);
            })),
            "file.h5: entry 'changes/pulls': vertex: found 100000, the bodies have 63; the file is damaged or belongs "
            "to another scene");
  EXPECT_EQ(
      refusal(with_entries([](ArchiveWriter& archive) { archive.write("changes/springs/places", std::int64_t{999}); })),
      "file.h5: entry 'changes/springs/places': found number 999, the scene has 9; the file is damaged or belongs to "
      "another scene");
  EXPECT_THAT(refusal(with_edits(only(ScalarEdit{"time.step", {-1}}))),
              StartsWith("file.h5: entry 'changes/time_step': time.step: found -1"));
  EXPECT_THAT(refusal(with_edits(only(ScalarEdit{"gravity", {0, 1}}))),
              StartsWith("file.h5: entry 'changes/gravity': found 2 numbers, expected 3"));
  EXPECT_THAT(refusal(with_edits(only(MaterialEdit{"soft", {{"yuong", {1}}}}))),
              StartsWith("file.h5: entry 'changes/materials': "));
  EXPECT_THAT(refusal(with_edits(only(CurvesEdit{"soft", {}}))), StartsWith("file.h5: entry 'changes/curves': "));
  const Edits magic = only(MethodEdit{"magic"});
  EXPECT_THAT(refusal(with_edits(magic)), StartsWith("file.h5: entry 'changes/method': "));
  EXPECT_THAT(refusal(with_edits(magic, magic)), StartsWith("file.h5: entry 'changes/set_up/method': "));
  EXPECT_THAT(refusal(with_edits(only(MethodEdit{"\xff"}))),
              StartsWith("file.h5: entry 'changes/method': found what is no list"));
  // Of another stepper than the state.
  EXPECT_THAT(refusal(with_edits(only(MethodEdit{"reduced"}))),
              StartsWith("file.h5: entry 'changes/method' is damaged"));
}

TEST(DamagedChanges, OfPrescribedVerticesAreRefused) {
  using testing::StartsWith;
  PrescribedEdit edit;
  edit.until = {0, 1};
  edit.offset.resize(3, 0);
  const auto refused = [&] { return refusal(with_edits(only(edit))); };
  const auto refused_twice = [&] { return refusal(with_edits(only(edit), only(edit))); };
  EXPECT_THAT(refused(), StartsWith("file.h5: entry 'changes/pins': found 2 prescribed vertices, the scene has 9"));
  edit.until.assign(9, forever);
  edit.until[3] = std::nan("");
  EXPECT_THAT(refused(), StartsWith("file.h5: entry 'changes/pins': found a time that is not a num"));
  edit.until[3] = forever;
  edit.vertices = {-1};
  edit.offset = Points::Zero(3, 1);
  edit.vertices_until = {forever};
  EXPECT_THAT(refused(), StartsWith("file.h5: entry 'changes/pins/held' is damaged"));
  EXPECT_THAT(refused_twice(), StartsWith("file.h5: entry 'changes/set_up/pins': found vertex -1, the bodies have 63"));
  edit.vertices = {1};
  edit.offset(1, 0) = 1e300;
  EXPECT_THAT(refused_twice(), StartsWith("file.h5: entry 'changes/set_up/pins': found a place"));
  edit.offset.resize(3, 2);
  edit.offset.setZero();
  EXPECT_THAT(refused_twice(), StartsWith("file.h5: entry 'changes/pins/offset': found 2 points, expected 1"));
}

TEST(SavedChangesOfSharedModels, AreRefused) {
  EXPECT_EQ(refusal(with_edits(only(ScalarEdit{"gravity", {0, -1, 0}})), /*shared=*/true),
            "file.h5: holds changes made between steps, but the model of this simulation is shared with others");
  EXPECT_EQ(refusal(with_edits({}), /*shared=*/true), "none");
}

}  // namespace
}  // namespace sinew
