// Steps of a cut model are those of the whole simulation.
#include "sinew/packed/cut_model.h"

#include <algorithm>
#include <tuple>

#include "packed/cut_scenes.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/model/edit.h"
#include "sinew/packed/model_bytes.h"
#include "sinew/packed/packed_run.h"

namespace sinew {
namespace {

double largest_difference(Simulation& whole, PackedRun& cut, int steps) {
  double largest = 0;
  for (int i = 0; i < steps; ++i) {
    whole.step();
    cut.step();
    largest = std::max(largest, (*whole.reduced_positions() - cut.coordinates()).cwiseAbs().maxCoeff());
  }
  return largest;
}

class CutModels : public testing::TestWithParam<std::tuple<bool, Integrator>> {};

TEST_P(CutModels, TakesTheSameSteps) {
  const auto [falls, integrator] = GetParam();
  Simulation whole(build_system(test::cut_bar(falls, integrator)));
  for (int i = 0; i < 3; ++i) whole.step();
  PackedRun cut(pack(cut_model(whole, {})));
  EXPECT_EQ(cut.clock().step, 3);
  EXPECT_LT(largest_difference(whole, cut, 60), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(All, CutModels,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Integrator::implicit_euler, Integrator::bdf2)));

// Bodies that cross a large part of their size in a step: both divide it.
TEST(CutModel, DividesFastSteps) {
  sinew::Setup setup;
  for (const double side : {-1.0, 1.0}) {
    setup.bodies.push_back(test::body(side < 0 ? "left" : "right", make_box(Vec3(0.2, 0.2, 0.2), {3, 3, 3}),
                                      test::material("neo_hookean", 2e5, 0.4), Vec3(0.5 * side, 0, 0)));
    setup.bodies.back().velocity = Vec3(-80 * side, 0, 0);
  }
  setup.gravity = Vec3::Zero();
  setup.time.step = 0.01;
  setup.solver.method = "reduced";
  setup.solver.handles = 4;
  setup.solver.error_every = 0;
  Simulation whole(build_system(std::move(setup)));
  const System& system = whole.system();
  const auto of_body = [&](Index b) {
    return static_cast<Index>(std::ranges::find(system.vertex_body, b) - system.vertex_body.begin());
  };
  std::vector<Index> further = {of_body(0), of_body(1)}, kept;
  std::ranges::sort(further);
  PackedRun cut(pack(cut_model(whole, further, &kept)));
  EXPECT_GT(whole.step().substeps, 4);
  EXPECT_GT(cut.step().substeps, 4);
  for (int k = 0; k < 20; ++k) cut.step();
  const auto x = [&](Index b) {
    return cut.place(static_cast<Index>(std::ranges::find(kept, of_body(b)) - kept.begin()))[0];
  };
  EXPECT_LT(x(0), x(1));
}

TEST(CutModel, FollowsPullsAndGravity) {
  auto system = build_system(test::cut_bar(false, Integrator::implicit_euler));
  Simulation whole(system);
  whole.allow_changes(system);
  const std::vector<Index> further = {whole.system().dynamic_count - 1};
  std::vector<Index> kept;
  PackedRun cut(pack(cut_model(whole, further, &kept)));
  const auto at = static_cast<Index>(std::ranges::find(kept, further[0]) - kept.begin());
  const Vec3 target = cut.place(at) + Vec3(0.1, 0.3, 0);
  cut.pull(1, at, target);
  whole.edit(PullEdit{{0, 1}, Pull{further[0], target, pull_stiffness(whole.system(), further[0])}});
  EXPECT_LT(largest_difference(whole, cut, 20), 1e-11);
  EXPECT_LT((cut.place(at) - whole.state().x.col(further[0])).norm(), 1e-11);
  cut.release(1);
  cut.set("gravity", {0, 5, 0});
  whole.edit(PullEdit{{0, 1}, {}});
  whole.edit(ScalarEdit{"gravity", {0, 5, 0}});
  EXPECT_LT(largest_difference(whole, cut, 20), 1e-11);
}

TEST(CutModel, RefusesByNameAndDamage) {
  sinew::Setup setup = test::cut_bar(false, Integrator::implicit_euler);
  setup.solver.method = "newton";
  EXPECT_THROW(cut_model(Simulation(build_system(setup)), {}), InputError);
  std::string bytes = pack(cut_model(Simulation(build_system(test::cut_bar(true, Integrator::implicit_euler))), {}));
  for (const std::size_t size : {std::size_t{0}, std::size_t{20}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_THROW(unpack(std::string_view(bytes).substr(0, size)), InputError) << size;
  EXPECT_THROW(unpack(bytes + "x"), InputError);
}

}  // namespace
}  // namespace sinew
