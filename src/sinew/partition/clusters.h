// Turns labels of a component's tets into connected clusters with centres.
#pragma once

#include <vector>

#include "sinew/partition/component.h"
#include "sinew/partition/source_distances.h"

namespace sinew {

struct Clusters {
  std::vector<Index> label;   // m, in [0, count())
  std::vector<Index> center;  // vertex of each, in the component's numbering

  Index count() const { return static_cast<Index>(center.size()); }
};

// Returns for each tet the source (a vertex) nearest to its barycentre along a path through one of its vertices.
std::vector<Index> nearest_sources(const Component& component, const SourceDistances& distances);

// Makes clusters of the tets with equal labels, any numbers from 0. If the tets of a label are not connected through
// faces, the largest part by volume stays and the others join their neighbours. Centres are pairwise different: a
// cluster whose free vertices are all centres of smaller clusters joins a neighbour too.
Clusters make_clusters(const Component& component, std::vector<Index> label);

}  // namespace sinew
