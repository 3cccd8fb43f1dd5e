// An ordered set of numbers below n, one bit for each, for few members. A visit of all members costs n / 64 words plus
// the members.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class IndexSet {
 public:
  // Empties the set and prepares it for numbers below n.
  void reset(std::size_t n) { words_.assign((n + 63) / 64, 0); }

  void insert(Index i) { words_[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << (i % 64); }
  // Inserts all members of another set with the same n.
  void insert(const IndexSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }

  // Calls visit(i) for the members, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        visit(static_cast<Index>(64 * w + static_cast<std::size_t>(std::countr_zero(word))));
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace sinew
