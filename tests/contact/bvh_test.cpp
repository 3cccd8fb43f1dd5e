#include "sinew/contact/bvh.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "sinew/contact/broad_phase_sweep.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

std::vector<FloatBox> random_boxes(std::size_t n, double size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> place(-1, 1), extent(0, size);
  std::vector<FloatBox> boxes(n);
  for (FloatBox& box : boxes) {
    for (int c = 0; c < 3; ++c) {
      const double low = place(random);
      box.low[c] = float_below(low);
      box.high[c] = float_above(low + extent(random));
    }
  }
  return boxes;
}

std::vector<std::size_t> hits(const Bvh& tree, const FloatBox& box, std::size_t first = 0) {
  std::vector<std::size_t> found;
  tree.query(box, first, [&](std::size_t position) { found.push_back(position); });
  return found;
}

TEST(FloatBoxTest, roundsOutwards) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-2, 2);
  std::uniform_int_distribution<int> exponent(-1040, 1020);
  for (int i = 0; i < 100000; ++i) {
    const double v = std::ldexp(mantissa(random), exponent(random));
    EXPECT_LE(float_below(v), v);
    EXPECT_GE(float_above(v), v);
  }
  EXPECT_EQ(float_above(1e300), FloatBox::kInfinity);
  EXPECT_LE(float_below(1e300), 3.5e38);  // not infinite: the box must still be found
  EXPECT_GT(float_below(1e300), 3.4e38);
  EXPECT_LT(float_above(1.0) - float_below(1.0), 4e-7);
}

TEST(BvhTest, findsWhatBruteForceFindsInAscendingOrder) {
  for (std::size_t n : {0u, 1u, 7u, 8u, 9u, 64u, 65u, 511u, 513u, 3000u}) {
    const std::vector<FloatBox> boxes = random_boxes(n, 0.1, 7);
    Bvh tree;
    tree.build(boxes);
    ASSERT_EQ(tree.size(), n);
    EXPECT_EQ(std::set<Index>(tree.order().begin(), tree.order().end()).size(), n);
    for (const FloatBox& query : random_boxes(50, 0.3, 8)) {
      for (std::size_t first : {std::size_t{0}, n / 3, n}) {
        std::vector<std::size_t> expected;
        for (std::size_t p = first; p < n; ++p)
          if (boxes[tree.order()[p]].overlaps(query)) expected.push_back(p);
        EXPECT_EQ(hits(tree, query, first), expected);
      }
    }
  }
}

TEST(BvhTest, refitOfSomeIsRefitOfAll) {
  for (const std::size_t n : {1u, 8u, 9u, 65u, 1000u}) {
    std::vector<FloatBox> boxes = random_boxes(n, 0.1, 1);
    const std::vector<FloatBox> others = random_boxes(n, 0.2, 2);
    Bvh some, all;
    some.build(boxes);
    all.build(boxes);
    for (std::size_t stride : {n, std::size_t{50}, std::size_t{3}, std::size_t{1}}) {
      std::vector<Index> positions;
      for (std::size_t p = stride / 2; p < n; p += stride) {
        positions.push_back(static_cast<Index>(p));
        boxes[some.order()[p]] = others[(p * 7 + stride) % n];
      }
      some.refit(boxes, positions);
      all.refit(boxes);
      for (const FloatBox& query : random_boxes(50, 0.3, 8)) EXPECT_EQ(hits(some, query), hits(all, query));
    }
  }
}

TEST(BvhTest, refitKeepsTheOrderAndFindsNewBoxes) {
  const std::vector<FloatBox> old = random_boxes(1000, 0.1, 1), now = random_boxes(1000, 0.2, 2);
  Bvh tree;
  tree.build(old);
  const std::vector<Index> order(tree.order().begin(), tree.order().end());
  tree.refit(now);
  EXPECT_TRUE(std::equal(order.begin(), order.end(), tree.order().begin()));
  for (const FloatBox& query : random_boxes(20, 0.3, 3)) {
    std::size_t expected = 0;
    for (const FloatBox& box : now) expected += box.overlaps(query);
    EXPECT_EQ(hits(tree, query).size(), expected);
  }
}

TEST(BvhTest, groupBoundsContainTheirBoxes) {
  const std::vector<FloatBox> boxes = random_boxes(777, 0.1, 4);
  Bvh tree;
  tree.build(boxes);
  for (int level = 0; level < 6; ++level) {
    for (std::size_t p = 0; p < boxes.size(); ++p) {
      FloatBox bounds = tree.group_bounds(p >> (3 * level), level);
      const FloatBox alone = bounds;
      bounds.add(tree.box(p));
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(bounds.low[c], alone.low[c]);
        EXPECT_EQ(bounds.high[c], alone.high[c]);
      }
    }
  }
}

TEST(BvhTest, sortsNeighboursTogether) {
  // Boxes on a line in random order come out sorted along it.
  std::vector<FloatBox> boxes(500);
  std::vector<int> place(boxes.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = static_cast<int>(i);
  std::shuffle(place.begin(), place.end(), std::mt19937(3));
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (int c = 0; c < 3; ++c) boxes[i].low[c] = boxes[i].high[c] = c == 1 ? static_cast<float>(place[i]) : 0;
  Bvh tree;
  tree.build(boxes);
  for (std::size_t p = 0; p < boxes.size(); ++p) EXPECT_EQ(place[tree.order()[p]], static_cast<int>(p));
}

TEST(BvhTest, identicalAndInfiniteBoxes) {
  std::vector<FloatBox> boxes(100);
  for (FloatBox& box : boxes)
    for (int c = 0; c < 3; ++c) box.low[c] = box.high[c] = 1;
  for (int c = 0; c < 3; ++c) boxes[5].high[c] = FloatBox::kInfinity;
  Bvh tree;
  tree.build(boxes);
  FloatBox query;
  for (int c = 0; c < 3; ++c) query.low[c] = query.high[c] = 1;
  EXPECT_EQ(hits(tree, query).size(), 100u);
  for (int c = 0; c < 3; ++c) query.low[c] = query.high[c] = 1e30f;
  EXPECT_EQ(hits(tree, query).size(), 1u);
}

// Motions whose squares exceed the range of floats meet everything, but not what the last block lacks.
TEST(BvhTest, motionsBeyondFloatsFindNothingThatIsNotThere) {
  for (const std::size_t n : {1, 9, 13, 100}) {
    const std::vector<FloatBox> boxes = random_boxes(n, 0.1, 7);
    FloatBox left, right;
    for (int c = 0; c < 3; ++c) {
      left.low[c] = left.high[c] = -1e25f;
      right.low[c] = right.high[c] = 1e25f;
    }
    Bvh tree;
    tree.build(boxes);
    tree.set_motion(std::vector<FloatBox>(n, left));
    const SweptBox query{boxes[0], right, 0, 1, 0.1f, 0};
    std::vector<std::size_t> found;
    tree.query(query, 0, [&](std::size_t position) { found.push_back(position); });
    EXPECT_EQ(found.size(), n);
    for (const std::size_t position : found) EXPECT_LT(position, n);
    tree.query_groups(query, 0, [&](std::size_t group) { EXPECT_LT(group * Bvh::kWidth, n); });
    FloatBox all;
    for (int c = 0; c < 3; ++c) all.low[c] = -FloatBox::kInfinity, all.high[c] = FloatBox::kInfinity;
    EXPECT_EQ(hits(tree, all).size(), n);
  }
}

TEST(SweepTest, findsAllOverlappingPairs) {
  const std::vector<FloatBox> boxes = random_boxes(200, 0.4, 9);
  std::vector<std::pair<Index, Index>> expected;
  for (Index i = 0; i < 200; ++i)
    for (Index j = i; j < 200; ++j)
      if (boxes[i].overlaps(boxes[j])) expected.emplace_back(i, j);
  EXPECT_EQ(overlapping_pairs(boxes), expected);
}

}  // namespace
}  // namespace sinew
