// Names parts of a System as the user knows them: bodies and obstacles by name, vertices by their number in the mesh of
// their file.
#pragma once

#include <span>
#include <string>

#include "sinew/model/system.h"

namespace sinew {

// Returns the number of a vertex (simulation numbering) in the mesh of its body or obstacle, from 0.
Index own_number(const System& system, Index vertex);

// "body 'cube'", "obstacle 'floor'". owner: as in CollisionMesh.
std::string owner_text(const System& system, Index owner);

// "vertex 7 of body 'cube'"
std::string vertex_text(const System& system, Index vertex);

// The number of a tet in its body's mesh, where a ten-node tet counts once. The tet is none of an affine body's.
Index user_tet_of(const System& system, Index tet);

// "tet 7 of body 'cube'", numbered as in the body's mesh, or "the control tet of affine body 'die'".
std::string tet_text(const System& system, Index tet);

// "vertex 7", "edge (3, 7)" or "triangle (0, 1, 2)", according to the number of vertices, which must have one owner.
std::string primitive_text(const System& system, std::span<const Index> vertices);

// "(0.1, 2, 3e-05) m"
std::string place_text(const Vec3& position);

}  // namespace sinew
