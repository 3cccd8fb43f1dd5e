#include "sinew/contact/bvh.h"

#include <array>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// A key holds a Morton code of 3 x 11 bits and the index of its box in the other 31.
constexpr int kBitsPerAxis = 11;
constexpr int kIndexBits = 31;
constexpr int kDigitBits = 11;
static_assert(3 * kBitsPerAxis + kIndexBits == 64);

// Spreads the low 11 bits to every third bit.
std::uint64_t spread(std::uint64_t v) {
  v = (v | v << 16) & 0x0700'00ffull;
  v = (v | v << 8) & 0x0700'f00full;
  v = (v | v << 4) & 0x430c'30c3ull;
  v = (v | v << 2) & 0x4924'9249ull;
  return v;
}

// The cell of a coordinate on the grid of 2^11 cells.
std::uint64_t cell(float center, float low, float scale) {
  const float position = (center - low) * scale;
  constexpr float kLast = (1 << kBitsPerAxis) - 1;
  return position > 0 ? static_cast<std::uint64_t>(std::min(position, kLast)) : 0;  // not-a-number goes to 0
}

// Morton code of each box in the upper bits, its index in the lower ones.
void make_keys(std::span<const FloatBox> boxes, std::vector<std::uint64_t>& keys) {
  FloatBox all;
  for (const FloatBox& box : boxes) all.add(box);
  // One scale for all axes keeps the cells cubic.
  float extent = 0;
  for (int c = 0; c < 3; ++c) extent = std::max(extent, all.high[c] - all.low[c]);
  const float scale = extent > 0 ? static_cast<float>(1 << kBitsPerAxis) / extent : 0;
  keys.resize(boxes.size());
  parallel_for(
      boxes.size(),
      [&](std::size_t i) {
        std::uint64_t code = 0;
        for (int c = 0; c < 3; ++c) {
          code |= spread(cell(0.5f * boxes[i].low[c] + 0.5f * boxes[i].high[c], all.low[c], scale)) << c;
        }
        keys[i] = code << kIndexBits | i;
      },
      8192);
}

// Sorts the keys by their Morton codes in three passes over digits of 11 bits, O(n). The sort is stable, so that equal
// codes stay in the order of the indices.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
  scratch.resize(keys.size());
  for (int shift = kIndexBits; shift < 64; shift += kDigitBits) {
    constexpr std::uint64_t kMask = (1u << kDigitBits) - 1;
    std::array<std::uint32_t, 1u << kDigitBits> start{};
    for (const std::uint64_t key : keys) ++start[key >> shift & kMask];
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start) {
      const std::uint32_t count = s;
      s = sum;
      sum += count;
    }
    for (const std::uint64_t key : keys) scratch[start[key >> shift & kMask]++] = key;
    keys.swap(scratch);
  }
}

}  // namespace

// Sorts the boxes along the Morton curve (Lauterbach et al. 2009) and sizes the levels: level 0 has a block for each 8
// boxes, each level above a block for each 8 blocks of the one below, up to a single block.
void Bvh::build(std::span<const FloatBox> boxes) {
  make_keys(boxes, keys_);
  radix_sort(keys_, scratch_);
  order_.resize(boxes.size());
  constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kIndexBits) - 1;
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<Index>(keys_[i] & kIndexMask);
  std::size_t levels = 0;
  for (std::size_t n = boxes.size(); n > 0; n = n > kWidth ? (n + kWidth - 1) / kWidth : 0) {
    if (levels_.size() <= levels) levels_.emplace_back();
    levels_[levels++].resize((n + kWidth - 1) / kWidth);
  }
  levels_.resize(levels);
  refit(boxes);
}

namespace {

// Fills all levels from the bottom: slot i of level l holds the bounds of block i of level l - 1, or box order[i] at
// level 0. Slots beyond the count are empty boxes, or, with `repeat`, copies of the block's first one: an empty box of
// displacements would enlarge its block's bounds.
void fill(std::vector<std::vector<BoxBlock>>& levels, std::span<const Index> order, std::span<const FloatBox> boxes,
          bool repeat) {
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<BoxBlock>& blocks = levels[level];
    const std::size_t count = level == 0 ? order.size() : levels[level - 1].size();
    parallel_for(
        blocks.size(),
        [&](std::size_t b) {
          const auto get = [&](std::size_t i) { return level == 0 ? boxes[order[i]] : levels[level - 1][i].bounds(); };
          const std::size_t begin = b * Bvh::kWidth;
          const FloatBox missing = repeat ? get(begin) : FloatBox{};
          for (std::size_t slot = 0; slot < Bvh::kWidth; ++slot)
            blocks[b].set(static_cast<int>(slot), begin + slot < count ? get(begin + slot) : missing);
        },
        512);
  }
}

}  // namespace

void Bvh::refit(std::span<const FloatBox> boxes) {
  fill(levels_, order_, boxes, false);
}

void Bvh::set_motion(std::span<const FloatBox> motion) {
  motion_.resize(levels_.size());
  for (std::size_t level = 0; level < levels_.size(); ++level) motion_[level].resize(levels_[level].size());
  fill(motion_, order_, motion, true);
}

// Passes the changes of a few boxes up the levels: O(changed log n).
void Bvh::refit(std::span<const FloatBox> boxes, std::span<const Index> positions) {
  std::vector<Index> changed(positions.begin(), positions.end());  // of the level below
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    for (const Index i : changed) {
      const FloatBox box = level == 0 ? boxes[order_[i]] : levels_[level - 1][i].bounds();
      levels_[level][i / kWidth].set(static_cast<int>(i % kWidth), box);
    }
    for (Index& i : changed) i /= kWidth;
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  }
}

}  // namespace sinew
