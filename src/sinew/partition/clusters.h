// From labels of a component's tets to connected clusters with centres.
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

// m: the source (as a vertex) that is nearest to each tet's barycentre by way of one of its vertices.
std::vector<Index> nearest_sources(const Component& component, const SourceDistances& distances);

// Clusters of the tets with equal labels, any numbers from 0. Of a label whose tets are not joined through faces, the
// largest part by volume stays and the others join their neighbours. Centres are pairwise different: a cluster whose
// free vertices are all centres of smaller ones joins a neighbour too.
Clusters make_clusters(const Component& component, std::vector<Index> label);

}  // namespace sinew
