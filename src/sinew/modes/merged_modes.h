// Merges modes of connected bodies into one basis.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct BodyModes {
  std::vector<Index> vertices;  // numbers in the system
  VecX values;                  // k values
  MatX vectors;                 // 3 rows for each vertex, k columns
};

// Merges the `count` modes with the lowest values of all bodies, ascending; equal values stay in the order of the
// bodies. vertices: number of vertices of the system. vectors: 3 `vertices` rows, zero at other bodies.
void merge_modes(const std::vector<BodyModes>& bodies, Index vertices, Index count, VecX& values, MatX& vectors);

}  // namespace sinew
