// Makes connected clusters with centres from labels of a component's tets.
#pragma once

#include <vector>

#include "sinew/partition/component.h"
#include "sinew/partition/source_distances.h"

namespace sinew {

struct Clusters {
  std::vector<Index> label;   // by tet, in [0, count())
  std::vector<Index> center;  // by cluster: a vertex, in the component's numbering

  Index count() const { return static_cast<Index>(center.size()); }
};

// Returns for each tet the source (a vertex) nearest to its barycentre along a path through one of its vertices.
std::vector<Index> nearest_sources(const Component& component, const SourceDistances& distances);

// Makes clusters of the tets with equal labels (any numbers >= 0). If the tets of a label are not connected through
// faces, the largest part by volume stays, and the other parts join their neighbours. All centres differ: a cluster
// whose free vertices are all centres of smaller clusters also joins a neighbour.
Clusters make_clusters(const Component& component, std::vector<Index> label);

}  // namespace sinew
