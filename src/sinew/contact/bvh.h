// A linear bounding volume hierarchy: boxes sorted along a Morton curve, eight to a node. All levels are implicit in
// flat arrays; node i of a level holds nodes 8 i .. 8 i + 7 of the level below.
//
// Building costs a radix sort, O(n), and so does refitting to new boxes. A query costs O(log n + hits), if boxes are
// not all in one place. Results depend neither on the number of threads nor on earlier calls.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/contact/bvh_box.h"
#include "sinew/core/types.h"

namespace sinew {

class Bvh {
 public:
  static constexpr std::size_t kWidth = BoxBlock::kWidth;

  // Sorts the boxes along a Morton curve through their centres and builds all levels. Boxes that are not finite sort
  // anywhere but are found by every query that they overlap.
  void build(std::span<const FloatBox> boxes);

  // Replaces the boxes of the same primitives, given in the order of build(). It costs less than build(), and queries
  // stay fast while the primitives have not moved far.
  void refit(std::span<const FloatBox> boxes);

  // As refit(boxes), but only for the boxes at these positions in the tree (ascending).
  void refit(std::span<const FloatBox> boxes, std::span<const Index> positions);

  // Sets the displacements of the primitives (boxes in the order given to build()), for queries by SweptBox until the
  // next build().
  void set_motion(std::span<const FloatBox> motion);

  std::size_t size() const { return order_.size(); }

  // order()[position] = index of the primitive in the span given to build(); queries report positions.
  std::span<const Index> order() const { return order_; }

  FloatBox bounds() const { return levels_.empty() ? FloatBox{} : levels_.back()[0].bounds(); }
  FloatBox box(std::size_t position) const { return levels_[0][position / kWidth].get(position % kWidth); }

  // Bounds of positions [group * 8^level, (group + 1) * 8^level), and of their displacements.
  FloatBox group_bounds(std::size_t group, int level) const { return group_bounds(levels_, group, level); }
  FloatBox group_motion(std::size_t group, int level) const { return group_bounds(motion_, group, level); }

  // Queries take a FloatBox or, after set_motion(), a SweptBox.
  // Calls f(position), in ascending order, for every position >= first whose box overlaps (FloatBox) or meets
  // (SweptBox) `box`.
  template <class Box, class F>
  void query(const Box& box, std::size_t first, F&& f) const {
    if (!levels_.empty()) visit<0>(static_cast<int>(levels_.size()) - 1, 0, box, first, f);
  }

  // Calls f(group), in ascending order, for the groups of kWidth positions whose bounds overlap `box`, except groups
  // wholly below `first`. `box` may bound several queries that lie near each other.
  template <class Box, class F>
  void query_groups(const Box& box, std::size_t first, F&& f) const {
    if (levels_.size() == 1) return f(std::size_t{0});
    if (!levels_.empty()) visit<1>(static_cast<int>(levels_.size()) - 1, 0, box, first, f);
  }

  // Like query(), for the positions of one group.
  template <class Box, class F>
  void query_group(std::size_t group, const Box& box, std::size_t first, F&& f) const {
    visit<0>(0, group, box, first, f);
  }

 private:
  using Levels = std::vector<std::vector<BoxBlock>>;

  static FloatBox group_bounds(const Levels& levels, std::size_t group, int level) {
    if (static_cast<std::size_t>(level) >= levels.size()) return levels.back()[0].bounds();
    return levels[level][group / kWidth].get(group % kWidth);
  }

  unsigned found(int level, std::size_t node, const FloatBox& box) const { return levels_[level][node].overlaps(box); }
  unsigned found(int level, std::size_t node, const SweptBox& box) const {
    return levels_[level][node].meets(motion_[level][node], box);
  }

  template <int Lowest, class Box, class F>
  void visit(int level, std::size_t node, const Box& box, std::size_t first, F& f) const {
    unsigned mask = found(level, node, box);
    if (mask == 0) return;
    const std::size_t start = first >> (3 * level), base = node * kWidth;
    // The empty slots of the last block overlap query boxes that extend to infinity; they are masked out.
    const std::size_t count = level == 0 ? order_.size() : levels_[level - 1].size();
    if (count - base < kWidth) mask &= (1u << (count - base)) - 1;
    // Children that lie wholly before `first` are masked out.
    if (start > base) mask &= start - base >= kWidth ? 0u : ~0u << (start - base);
    for (; mask != 0; mask &= mask - 1) {
      const std::size_t child = base + static_cast<std::size_t>(std::countr_zero(mask));
      if (level == Lowest) {
        f(child);
      } else {
        visit<Lowest>(level - 1, child, box, first, f);
      }
    }
  }

  std::vector<Index> order_;
  Levels levels_;  // [0]: the boxes themselves; the last has one block
  Levels motion_;  // displacements, in the same layout
  std::vector<std::uint64_t> keys_, scratch_;
};

}  // namespace sinew
