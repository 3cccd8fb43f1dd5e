// Where the boundary of a mesh touches itself: edges of more than two triangles, and vertices that alone join parts of
// it. Contact cannot part what is joined there.
#pragma once

#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

struct Pinches {
  Index edges = 0, vertices = 0;  // vertices that are not ends of such edges
  Vec3 place = Vec3::Zero();      // of one of them
};

Pinches find_pinches(const TetMesh& mesh);

// Warns of them.
void tell_pinches(const TetMesh& mesh);

}  // namespace sinew::mesher
