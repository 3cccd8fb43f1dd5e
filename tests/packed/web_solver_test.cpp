// The committed module web/dist/solver.wasm gives the coordinates of the engine. Node runs it.
#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "packed/cut_scenes.h"
#include "support/folder.h"
#include "support/paths.h"
#include <gtest/gtest.h>

#include "sinew/core/program.h"
#include "sinew/packed/model_bytes.h"
#include "sinew/packed/packed_run.h"

namespace sinew {
namespace {

class WebSolver : public testing::TestWithParam<std::tuple<bool, Integrator, bool>> {};

// Of 100 steps; pulled from the first one on.
TEST_P(WebSolver, TakesTheStepsOfTheEngine) {
  const auto [falls, integrator, pulled] = GetParam();
  const char* path = std::getenv("PATH");
  const std::string node = find_program("node", path ? path : "/usr/bin");
  if (node.empty()) GTEST_SKIP() << "node is not installed";
  auto system = build_system(test::cut_bar(falls, integrator));
  Simulation whole(system);
  whole.allow_changes(system);
  const Index vertex = system->dynamic_count - 1;
  std::vector<Index> kept;
  const std::vector<Index> further = {vertex};
  const std::string model = pack(cut_model(whole, further, &kept));
  constexpr int steps = 100;
  std::vector<double> numbers = {steps, -1, 0, 0, 0};
  if (pulled) {
    const Vec3 target = system->rest.col(vertex) + Vec3(0.2, 0.3, 0.1);
    whole.edit(PullEdit{{0, 1}, Pull{vertex, target, pull_stiffness(*system, vertex)}});
    numbers = {steps, static_cast<double>(std::ranges::lower_bound(kept, vertex) - kept.begin()), target[0], target[1],
               target[2]};
  }
  for (int k = 0; k < steps; ++k) {
    whole.step();
    const MatX& y = *whole.reduced_positions();
    numbers.insert(numbers.end(), y.data(), y.data() + y.size());
  }
  const test::Folder folder;
  const std::string data(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
  const ProgramResult result = run_program(
      {node, test::source_folder() + "/tests/packed/solver.mjs", test::source_folder() + "/web/dist/solver.wasm",
       folder.write("model", model), folder.write("steps", data)},
      [](std::string_view) { return true; });
  EXPECT_EQ(result.exit_code, 0) << result.errors
                                 << "build the module again: scripts/wasm, then cd web && node build_self.mjs";
  RecordProperty("result", result.errors);
}

INSTANTIATE_TEST_SUITE_P(All, WebSolver,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Integrator::implicit_euler, Integrator::bdf2,
                                                          Integrator::newmark),
                                          testing::Bool()));

}  // namespace
}  // namespace sinew
