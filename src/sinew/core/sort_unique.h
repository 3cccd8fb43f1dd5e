// Sorts a list and removes its duplicates.
#pragma once

#include <algorithm>
#include <vector>

namespace sinew {

// Sorts the values in ascending order and removes duplicates.
template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace sinew
