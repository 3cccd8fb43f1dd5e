#include "sinew/io/focus_box.h"

#include <vector>

#include <gtest/gtest.h>

namespace sinew {
namespace {

std::array<ValueRange, 3> box_at(double x) {
  return {ValueRange{x, x + 1}, ValueRange{0, 1}, ValueRange{0, 1}};
}

TEST(FocusBox, OfOneBodyIsItsBox) {
  const std::vector<WeightedBox> one{{box_at(2), 10}};
  EXPECT_EQ(focus_box(one)[0].low, 2);
  EXPECT_EQ(focus_box(one)[0].high, 3);
}

TEST(FocusBox, LeavesOutABodyThatFliesOff) {
  std::vector<WeightedBox> many;
  for (int k = 0; k < 30; ++k) many.push_back({box_at(0.1 * k), 10});
  many.push_back({box_at(1000), 10});
  many.push_back({box_at(-1000), 10});
  const auto focus = focus_box(many);
  EXPECT_GE(focus[0].low, 0);
  EXPECT_LE(focus[0].high, 4);
  EXPECT_EQ(focus[1].low, 0);
}

TEST(FocusBox, CountsByWeight) {
  const std::vector<WeightedBox> two{{box_at(0), 1}, {box_at(100), 99}};
  EXPECT_EQ(focus_box(two)[0].low, 100);
}

}  // namespace
}  // namespace sinew
