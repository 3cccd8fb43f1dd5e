#include "sinew/mesh/consistent_loads.h"

#include "sinew/core/tet_topology.h"

namespace sinew {

EdgeEnds edge_nodes(const QuadraticTets& tets) {
  EdgeEnds ends;
  for (const auto& nodes : tets.colwise())
    for (std::size_t e = 0; e < quadratic_tet_edges.size(); ++e)
      ends[nodes[4 + static_cast<Index>(e)]] = {nodes[quadratic_tet_edges[e][0]], nodes[quadratic_tet_edges[e][1]]};
  return ends;
}

}  // namespace sinew
