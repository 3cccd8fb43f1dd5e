#include "sinew/subspace/index_lists.h"

namespace sinew {

// Counting sort of positions by key, stable, O(keys + count).
IndexLists grouped(std::span<const Index> keys, Index count) {
  IndexLists lists;
  lists.begin.assign(static_cast<std::size_t>(count) + 1, 0);
  lists.items.resize(keys.size());
  for (Index key : keys) ++lists.begin[key + 1];
  for (Index c = 0; c < count; ++c) lists.begin[c + 1] += lists.begin[c];
  std::vector<std::int64_t> next(lists.begin.begin(), lists.begin.end() - 1);
  for (std::size_t i = 0; i < keys.size(); ++i) lists.items[next[keys[i]]++] = static_cast<Index>(i);
  return lists;
}

}  // namespace sinew
