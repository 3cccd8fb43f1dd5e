// Whether a mesh can be simulated: the checks between a reader and a body.
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// Below this quality (6 sqrt(2) |V| / l_rms^3, 1 for the regular tet) a tet is called nearly flat.
inline constexpr double nearly_flat_quality = 1e-4;

// Throws InputError, as the checks below do, where coordinates are not finite: no number says anything about such a
// mesh.
void require_finite(const Points& vertices, const std::string& source);

// Checks a tet mesh, in this order, and throws InputError with the count and the first few offenders (ids from 0, with
// coordinates): no tets, coordinates that are not finite, vertex ids out of range, a vertex twice in a tet, duplicate
// tets, zero volume, a face shared by more than two tets, folded tets (on the same side of a face as the neighbour).
// Repairs: tets of negative volume are re-wound with a warning where that makes the whole face-connected component
// positive, i.e. where neighbours lie on opposite sides of their faces and only the order of the vertices is wrong.
// Warns of nearly flat tets and of vertices in no tet (both are kept). `source` names the mesh in the messages.
void validate(TetMesh& mesh, const std::string& source);

// The same for a surface: no triangles, coordinates that are not finite, vertex ids out of range and triangles of zero
// area throw; triangles with a vertex twice (which cover nothing) are removed with a warning; unused vertices warn.
void validate(TriMesh& mesh, const std::string& source);

}  // namespace sinew
