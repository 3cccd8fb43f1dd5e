// Finds nodes or elements by the labels that a file gives them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Maps labels to the order of their items: by a table if labels are nearly consecutive, else by binary search.
class LabelIndex {
 public:
  // labels[i]: the label of item i. Returns the item of a label that an earlier item has already; none if all differ.
  std::optional<std::size_t> assign(const std::vector<std::int64_t>& labels);

  // Returns the item with a label; -1 if there is none.
  Index find(std::int64_t label) const;

  // Calls f(item) for the items with the labels first, first + step, ..., at most last. All are below 2^32.
  template <class F>
  void for_range(std::int64_t first, std::int64_t last, std::int64_t step, F&& f) const;

 private:
  std::int64_t first_ = 0;
  std::vector<Index> dense_;
  std::vector<std::pair<std::int64_t, Index>> sorted_;
};

template <class F>
void LabelIndex::for_range(std::int64_t first, std::int64_t last, std::int64_t step, F&& f) const {
  if (!dense_.empty()) {
    const std::int64_t end = first_ + static_cast<std::int64_t>(dense_.size()) - 1;
    const std::int64_t skipped = first < first_ ? (first_ - first + step - 1) / step : 0;
    for (std::int64_t label = first + skipped * step; label <= std::min(last, end); label += step)
      if (const Index item = dense_[static_cast<std::size_t>(label - first_)]; item >= 0) f(item);
    return;
  }
  auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{first, Index{-1}});
  for (; at != sorted_.end() && at->first <= last; ++at)
    if ((at->first - first) % step == 0) f(at->second);
}

}  // namespace sinew
