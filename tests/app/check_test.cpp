#include "command.h"
#include <gmock/gmock.h>

namespace sinew {
namespace {

using test::sinew;
using testing::HasSubstr;

class Check : public test::CommandTest {};

TEST_F(Check, PrintsTheCompletedSceneAndItsSize) {
  const auto result = sinew({"check", scene_path_});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"max_iterations\": 200"));
  EXPECT_THAT(result.out, HasSubstr("cube: 27 vertices, 40 tets"));
  EXPECT_THAT(result.out, HasSubstr("ground: a plane"));
  EXPECT_THAT(result.out, HasSubstr("rubber: neo_hookean, 40 tets"));
  EXPECT_THAT(result.out, HasSubstr("run: 6 steps of 0.01 s, bdf2, method newton"));
  EXPECT_THAT(result.out, HasSubstr("memory: about "));
  EXPECT_THAT(result.out, HasSubstr("nothing found that would disturb the run"));
  EXPECT_EQ(listing(), std::vector<std::string>{"scene.json"});
}

TEST_F(Check, ListsInitialIntersections) {
  scene_["bodies"][0]["transform"]["translate"] = {0.17, 0.045, 0};
  save();
  const auto result = sinew({"check", scene_path_});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out, HasSubstr("intersection: edge ("));
  EXPECT_THAT(result.out, HasSubstr("body 'cube'"));
  EXPECT_THAT(result.out, HasSubstr("obstacle 'wall'"));
  EXPECT_THAT(result.out,
              HasSubstr("intersection: 9 vertices of body 'cube' are on or behind plane 'ground', the deepest by "
                        "0.005 m"));
  EXPECT_THAT(result.err, HasSubstr("intersections (listed above); move the bodies apart"));
}

TEST_F(Check, NamesThinGaps) {
  scene_["bodies"][0]["transform"]["translate"] = {0, 0.0505, 0};
  save();
  const auto result = sinew({"check", scene_path_});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("thin gap: 'cube' and 'ground' start with 9 pairs closer than contact.distance (0.001 m)"));
  EXPECT_THAT(result.out, HasSubstr("smallest gap: 0.0005 m"));
}

}  // namespace
}  // namespace sinew
