// A run that is interrupted while it trains cubature points finds its modes again.
#include <filesystem>

#include "support/bodies.h"
#include "support/folder.h"
#include <gmock/gmock.h>

#include "sinew/core/activity.h"
#include "sinew/core/cache_folder.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

TEST(InterruptedTraining, LeavesItsModes) {
  const test::Folder folder;
  const test::Variable cache("XDG_CACHE_HOME", folder.path.string());
  sinew::Setup setup;
  setup.bodies.push_back(test::body("block", make_box(Vec3(1, 1, 1), {16, 16, 16}), test::material("stvk", 1e5, 0.3)));
  setup.contact.enabled = false;
  setup.solver.method = "reduced";
  setup.solver.subspace = "inertia";
  setup.solver.further_subspaces = {"quadratic"};
  setup.solver.handles = 3;
  setup.solver.cubature_rule = "modal_forces";
  const auto system = build_system(std::move(setup));
  ASSERT_GE(system->tet_count(), least_cached_tets);
  const auto files = [&](const char* name) {
    std::error_code none;
    const fs::directory_iterator all(folder.path / "sinew" / name, none);
    return std::distance(begin(all), end(all));
  };
  bool training = false;
  std::vector<std::string> made;
  const auto make = [&](bool to_the_end) {
    made.clear();
    const activity::Listening listening({.interrupted = [&] { return training && !to_the_end; },
                                         .progress =
                                             [&](const std::string& line) {
                                               training = line.starts_with("making training poses");
                                               if (line.ends_with(" ...") &&
                                                   line.find("modes of body") != std::string::npos)
                                                 made.push_back(line);
                                             }});
    return make_reduced_basis(*system, 0);
  };
  EXPECT_THROW(make(false), Interrupted);
  EXPECT_THAT(made, testing::Contains("making inertia modes of body 'block' ..."));
  EXPECT_EQ(files("modes"), 2);
  EXPECT_EQ(files("reduced"), 0);
  const auto basis = make(true);
  EXPECT_THAT(made, testing::IsEmpty());
  EXPECT_EQ(files("reduced"), 1);
  EXPECT_FALSE(basis->cached);
  EXPECT_EQ(basis->dof_count(), 6 + 6);                 // of the frame and the modes
  EXPECT_GE(basis->cubature.point_count(), 4 * 2 * 3);  // one in each box of a grid of about so many
  EXPECT_TRUE(make(true)->cached);
}

}  // namespace
}  // namespace sinew
