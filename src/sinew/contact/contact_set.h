// The set of active contacts at one configuration.
#pragma once

#include <limits>
#include <vector>

#include "sinew/contact/stencil.h"

namespace sinew {

struct ContactSet {
  std::vector<ContactStencil> stencils;  // canonical, sorted by (kind, vertices, plane), no two alike
  double min_distance = std::numeric_limits<double>::infinity();  // smallest gap of the active pairs [m]

  // Sorts `stencils` and merges equal ones by adding their weights in ascending order. The result is that of
  // merge_equal(), in linear time if each vertex has few stencils.
  void sort_and_merge(Index vertex_count);

 private:
  std::vector<ContactStencil> scratch_;
  std::vector<Index> start_;
};

}  // namespace sinew
