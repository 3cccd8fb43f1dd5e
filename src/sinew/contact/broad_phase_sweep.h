// Finds overlapping pairs of bounding boxes by sorting along x and sweeping: O(n log n) unless most boxes overlap along
// x.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sinew/contact/bvh_box.h"

namespace sinew {

// Returns all pairs (i, j), i <= j, whose boxes overlap, in ascending order. Each box that is not empty gives (i, i).
inline std::vector<std::pair<Index, Index>> overlapping_pairs(std::span<const FloatBox> boxes) {
  std::vector<std::pair<float, Index>> starts;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].low[0] <= boxes[i].high[0]) starts.emplace_back(boxes[i].low[0], static_cast<Index>(i));
  }
  std::sort(starts.begin(), starts.end());
  std::vector<std::pair<Index, Index>> pairs;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const Index p = starts[i].second;
    for (std::size_t j = i; j < starts.size() && starts[j].first <= boxes[p].high[0]; ++j) {
      const Index q = starts[j].second;
      if (boxes[p].overlaps(boxes[q])) pairs.emplace_back(std::min(p, q), std::max(p, q));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace sinew
