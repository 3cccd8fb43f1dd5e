// Clusters of vertices, spread evenly over substructures. Loads and motions that are not linear in the coordinates are
// summed over clusters, so that their cost does not grow with the mesh.
#pragma once

#include <utility>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

struct MassCluster {
  Index part = 0;
  std::vector<std::pair<Index, double>> vertices;  // system's numbers, masses in the part [kg]
};

// Makes at least `wanted` clusters in each substructure, or one for each vertex if it has fewer. O(vertices x
// clusters).
std::vector<MassCluster> mass_clusters(const System& system, const std::vector<Substructure>& parts, Index wanted);

}  // namespace sinew
