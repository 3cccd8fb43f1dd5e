// A rule that integrates over a domain by few of its tets.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Cubature {
  std::vector<Index> tets;      // ascending
  std::vector<double> weights;  // >= 0, of each of `tets`, over its rest volume: 1 everywhere is the full sum

  Index point_count() const { return static_cast<Index>(tets.size()); }
};

}  // namespace sinew
