// Mid-nodes on the round surfaces of primitives (mesh/primitives.h), so that ten-node tets follow them.
#pragma once

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// Each moves the middles of the edges on the round surface to the nearest points on it (TetMesh::mid_nodes).
void round_sphere(TetMesh& mesh, double radius);
void round_cylinder(TetMesh& mesh, double radius, Axis axis);  // the flat ends stay flat
void round_torus(TetMesh& mesh, double radius, double tube, Axis axis);

}  // namespace sinew
