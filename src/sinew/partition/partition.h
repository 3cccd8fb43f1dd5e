// A division of a domain's tets into connected clusters, each with a centre.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Partition {
  std::vector<Index> tet_cluster;  // m, in [0, cluster count)
  // A vertex of each cluster, near its volume centroid: a free one where it has any.
  std::vector<Index> center;

  Index cluster_count() const { return static_cast<Index>(center.size()); }
};

}  // namespace sinew
