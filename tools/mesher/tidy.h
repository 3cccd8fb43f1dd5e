// What refinement leaves behind: specks of a few tets, and places where a surface touches itself.
#pragma once

#include <utility>
#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

// Sets of at most three tets that share no face with others of their region go over to the region around them, or away
// where they are alone. Vertices stay.
void remove_specks(TetMesh& mesh);

// Middles and unit normals of the boundary triangles at edges with more than two of them.
std::vector<std::pair<Vec3, Vec3>> triangles_at_knots(const TetMesh& mesh);

}  // namespace sinew::mesher
