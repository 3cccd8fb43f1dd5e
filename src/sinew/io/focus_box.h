// A camera should look at the box of most of the bodies: one that flies off does not make the others tiny.
#pragma once

#include <array>
#include <span>

#include "sinew/io/report_encoding.h"

namespace sinew {

struct WeightedBox {
  std::array<ValueRange, 3> box;  // [m]
  double weight = 1;              // for example the number of its vertices
};

// Returns along each axis the range from the lower to the upper 4 % quantile of the low and of the high corners, by
// weight. A single box is returned as it is. `boxes` must not be empty.
std::array<ValueRange, 3> focus_box(std::span<const WeightedBox> boxes);

}  // namespace sinew
