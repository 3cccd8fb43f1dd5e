// Lists of indices, stored one after another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct IndexLists {
  std::vector<std::int64_t> begin;  // lists + 1 entries
  std::vector<Index> items;

  std::span<const Index> operator[](std::size_t i) const {
    return {items.data() + begin[i], static_cast<std::size_t>(begin[i + 1] - begin[i])};
  }
};

// Returns, for each key in [0, count), its positions in `keys`, ascending.
IndexLists grouped(std::span<const Index> keys, Index count);

}  // namespace sinew
