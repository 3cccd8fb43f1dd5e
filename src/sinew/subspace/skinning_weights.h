// Weights of bones by heat diffusion (Baran and Popovic 2007, "Automatic rigging and animation of 3D characters").
#pragma once

#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

struct BoneSegment {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  // [m]
};

// Returns the weights w (vertices x bones), each row with the sum 1, that solve
//
//   (L + D) w_b = D p_b,   D_v = m_v / d_v^2 .
//
// L is the Laplacian int grad^T grad of the tets, m_v the volume of a vertex, d_v its distance from the nearest bone.
//
// The columns p_b are 1 at vertices nearest to bone b, shared among bones that are equally near, else 0. Vertices
// without a tet get the nearest bone. Distances count as at least a thousandth of the mesh's diagonal.
MatX heat_weights(const TetMesh& mesh, const std::vector<BoneSegment>& bones);

}  // namespace sinew
