#include "sinew/model/body_edges.h"

#include <cmath>

namespace sinew {

double mean_body_edge(const CollisionMesh& mesh) {
  double sum = 0;
  Index count = 0;
  for (Eigen::Index e = 0; e < mesh.edges.cols(); ++e) {
    if (mesh.kinematic(mesh.edges(0, e))) continue;
    sum += std::sqrt(mesh.edge_rest_length2[e]);
    ++count;
  }
  return sum / count;
}

}  // namespace sinew
