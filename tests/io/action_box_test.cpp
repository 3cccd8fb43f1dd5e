#include "sinew/io/action_box.h"

#include <vector>

#include <gtest/gtest.h>

#include "sinew/io/studio_picture.h"

namespace sinew {
namespace {

RenderBox unit_box_at(const Vec3& place) {
  return {place, place + Vec3::Ones()};
}

TEST(ActionBox, OneFrameIsItsBox) {
  const std::vector<RenderBox> frames{unit_box_at({1, 2, 3})};
  EXPECT_EQ(action_box(frames).low, Vec3(1, 2, 3));
  EXPECT_EQ(action_box(frames).high, Vec3(2, 3, 4));
}

// Frames of rest count little, so that the box is that of the motion.
TEST(ActionBox, FollowsTheMotion) {
  std::vector<RenderBox> frames;
  for (int k = 0; k <= 20; ++k) frames.push_back(unit_box_at({0, 2.0 - 0.1 * k, 0}));
  for (int k = 0; k < 20; ++k) frames.push_back(frames.back());
  const RenderBox box = action_box(frames);
  EXPECT_LT(box.low[1], 0.05);
  EXPECT_GT(box.high[1], 2.5);
  EXPECT_EQ(box.low[0], 0);
}

TEST(ActionBox, LeavesOutWhatIsBrief) {
  std::vector<RenderBox> frames;
  for (int k = 0; k < 200; ++k) frames.push_back(unit_box_at({0.02 * k, 0, 0}));
  frames[100].high[1] = 1.01;
  EXPECT_EQ(action_box(frames).high[1], 1);
}

TEST(StudioView, DirectionsAreThoseOfThePage) {
  const Vec3 up(0, 1, 0);
  EXPECT_LT((view_direction(up, 0, 0) - Vec3(0, 0, 1)).norm(), 1e-12);
  EXPECT_LT((view_direction(up, 90, 0) - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((view_direction(up, 45, 90) - up).norm(), 1e-12);
}

TEST(StudioView, FramesBetweenAreOnStraightWays) {
  RecordedFrame a{0, 0, Points::Zero(3, 2), Points::Zero(3, 1), {{Vec3::Zero(), Vec3(0, 1, 0), Vec3::Zero()}}};
  RecordedFrame b{1, 0.1, Points::Ones(3, 2), Points::Ones(3, 1), {{Vec3(0, 1, 0), Vec3(0, 1, 0), Vec3::Zero()}}};
  const RecordedFrame middle = between(a, b, 0.25);
  EXPECT_DOUBLE_EQ(middle.time, 0.025);
  EXPECT_EQ(middle.user, Points::Constant(3, 2, 0.25));
  EXPECT_EQ(middle.obstacles, Points::Constant(3, 1, 0.25));
  EXPECT_DOUBLE_EQ(middle.planes[0].point[1], 0.25);
  EXPECT_EQ(between(a, b, 1).user, b.user);
}

}  // namespace
}  // namespace sinew
