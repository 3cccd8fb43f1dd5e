// How many handles each component of a domain is given when the user does not say.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Domain;
struct ComponentTets;

// Clusters by component, at least one each. Refinement costs iterations in proportion to the edges across a cluster,
// and the reduced system grows with its handles: slowly in rods and nets, whose clusters have two neighbours, fast in
// solids. So rods get a handle for each 300 free vertices, solids one for each 500 (measured on the gallery), and thin
// plates are between. Which of them a component is, is told by how the vertices within some edges of a vertex multiply
// with that number of edges.
std::vector<Index> natural_shares(const Domain& domain, const ComponentTets& components,
                                  const std::vector<Index>& free_vertices);

}  // namespace sinew
