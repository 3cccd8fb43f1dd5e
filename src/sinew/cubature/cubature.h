// A cubature rule: a few tets with weights that replace an integral over all tets of a domain.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Cubature {
  std::vector<Index> tets;  // ascending
  std::vector<double>
      // By tet of `tets`: weight >= 0 relative to its rest volume. All tets with weight 1 are the full sum.
      weights;

  Index point_count() const { return static_cast<Index>(tets.size()); }
};

}  // namespace sinew
