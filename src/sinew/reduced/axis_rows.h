// How handles move vertices. The displacement of a vertex along an axis is its row of numbers times the axis' column of
// y. Axes with equal prescribed vertices share their rows.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "sinew/core/types.h"

namespace sinew {

struct AxisRows {
  Index rows = 0, free = 0;         // rows of y, of which the first `free` are unknowns
  std::array<int, 3> set{0, 0, 0};  // by axis: number of its set of rows; axes in the same set have equal rows
  std::function<VecX(int axis, Index vertex)> row;

  int sets() const { return 1 + std::max({set[0], set[1], set[2]}); }
  int axis_of_set(int s) const { return set[0] == s ? 0 : set[1] == s ? 1 : 2; }
};

}  // namespace sinew
