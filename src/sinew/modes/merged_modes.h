// Modes of connected bodies in one basis.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct BodyModes {
  std::vector<Index> vertices;  // of the system
  VecX values;                  // k
  MatX vectors;                 // 3 per vertex x k
};

// Merges the `count` modes of lowest values of all bodies, ascending, equal values in the order of the bodies. vectors:
// 3 `vertices` rows, zero at other bodies.
void merge_modes(const std::vector<BodyModes>& bodies, Index vertices, Index count, VecX& values, MatX& vectors);

}  // namespace sinew
