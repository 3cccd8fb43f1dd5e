// Clusters of vertices, spread evenly over substructures. Loads and motions that are not linear in the coordinates are
// summed over clusters, so that the number of terms does not grow with the mesh.
#pragma once

#include <utility>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

struct MassCluster {
  Index part = 0;
  std::vector<std::pair<Index, double>> vertices;  // of the system, with their masses in the part [kg]
};

// At least `wanted` clusters of each substructure, or one a vertex. O(vertices x clusters).
std::vector<MassCluster> mass_clusters(const System& system, const std::vector<Substructure>& parts, Index wanted);

}  // namespace sinew
