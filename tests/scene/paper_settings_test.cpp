// `"paper": true`: the settings of a method's paper.
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"

namespace sinew {
namespace {

nlohmann::ordered_json solver_of(const nlohmann::json& solver) {
  const nlohmann::json scene = {{"bodies", {{{"mesh", {{"box", {{"size", {1, 1, 1}}, {"cells", {1, 1, 1}}}}}}}}},
                                {"solver", solver}};
  return completed_scene(scene)["solver"];
}

TEST(PaperSettings, KeysThatAreLeftOutAreThoseOfThePaper) {
  const auto adaptive = solver_of({{"adaptive", {{"paper", true}}}})["adaptive"];
  EXPECT_EQ(adaptive["vertex_error"], 0.5);
  EXPECT_EQ(adaptive["mode_error"], 0.5);
  EXPECT_EQ(adaptive["acceptance"], "oracle");
  EXPECT_EQ(adaptive["drop_rate"], 0.1);  // the paper's is the default
  const auto multilevel = solver_of({{"multilevel", {{"paper", true}}}})["multilevel"];
  EXPECT_EQ(multilevel["partition"], "heat");
  EXPECT_EQ(multilevel["stiffness_exponent"], 1);
  EXPECT_EQ(multilevel["printed"]["stop"], "subspace");
  EXPECT_EQ(solver_of({{"quasi_newton", {{"paper", true}}}})["quasi_newton"]["rotations"], false);
}

TEST(PaperSettings, WhatIsGivenStays) {
  const auto given = solver_of({{"adaptive", {{"paper", true}, {"vertex_error", 0.2}}}})["adaptive"];
  EXPECT_EQ(given["vertex_error"], 0.2);
  EXPECT_EQ(given["mode_error"], 0.5);
  EXPECT_EQ(solver_of({{"adaptive", {{"paper", false}}}})["adaptive"]["mode_error"], 0.1);
  EXPECT_EQ(solver_of({{"adaptive", {{"mode_error", 0.3}}}})["adaptive"]["acceptance"], "estimate");
}

// A completed scene says the same when it is read again.
TEST(PaperSettings, CompletedScenesAreStable) {
  const nlohmann::json scene = {{"bodies", {{{"mesh", {{"box", {{"size", {1, 1, 1}}, {"cells", {1, 1, 1}}}}}}}}},
                                {"solver", {{"multilevel", {{"paper", true}}}}}};
  const auto once = completed_scene(scene);
  EXPECT_EQ(completed_scene(nlohmann::json(once)), once);
}

TEST(PaperSettings, WrongTypesAreRefused) {
  try {
    solver_of({{"adaptive", {{"paper", 1}}}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("solver.adaptive.paper: found 1, expected"));
  }
}

}  // namespace
}  // namespace sinew
