// A cubature rule: few tets with weights that integrate over a domain.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Cubature {
  std::vector<Index> tets;  // ascending
  std::vector<double>
      weights;  // >= 0, of each of `tets`, relative to its rest volume: all tets with weight 1 are the full sum

  Index point_count() const { return static_cast<Index>(tets.size()); }
};

}  // namespace sinew
