#include "sinew/formats/label_index.h"

namespace sinew {

std::optional<std::size_t> LabelIndex::assign(const std::vector<std::int64_t>& labels) {
  dense_.clear();
  sorted_.clear();
  if (labels.empty()) return {};
  const auto [low, high] = std::minmax_element(labels.begin(), labels.end());
  first_ = *low;
  const std::uint64_t span = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
  if (span < 4 * labels.size() + 1024) {
    dense_.assign(span + 1, -1);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      Index& slot = dense_[static_cast<std::size_t>(labels[i] - first_)];
      if (slot >= 0) return i;
      slot = static_cast<Index>(i);
    }
    return {};
  }
  sorted_.reserve(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) sorted_.emplace_back(labels[i], static_cast<Index>(i));
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = 1; i < sorted_.size(); ++i) {
    if (sorted_[i].first == sorted_[i - 1].first) return static_cast<std::size_t>(sorted_[i].second);
  }
  return {};
}

Index LabelIndex::find(std::int64_t label) const {
  if (!dense_.empty()) {
    const std::uint64_t slot = static_cast<std::uint64_t>(label) - static_cast<std::uint64_t>(first_);
    return slot < dense_.size() ? dense_[slot] : -1;
  }
  const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{label, Index{-1}});
  return at != sorted_.end() && at->first == label ? at->second : -1;
}

}  // namespace sinew
