// Checks that a mesh can be simulated, after it was read.
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// Below this quality (6 sqrt(2) |V| / l_rms^3, 1 for the regular tet) a tet is called nearly flat.
inline constexpr double nearly_flat_quality = 1e-4;

// Throws InputError, as the checks below do, where coordinates are not finite: no number says anything about such a
// mesh.
void require_finite(const Points& vertices, const std::string& source);

// Checks a tet mesh. Throws InputError with the count and the first few offenders (ids from 0, with coordinates). It
// refuses, in this order, a mesh without tets, coordinates that are not finite, vertex ids out of range, a vertex twice
// in a tet and duplicate tets. Then it refuses zero volume, a face of more than two tets, and folded tets (on the same
// side of a face as the neighbour). Rewinds tets of negative volume, with a warning, if that makes the whole
// face-connected component positive: then only the order of the vertices is wrong. Warns of nearly flat tets and of
// vertices in no tet (both are kept). `source` names the mesh in the messages.
void validate(TetMesh& mesh, const std::string& source);

// Checks a surface. Throws for no triangles, coordinates that are not finite, vertex ids out of range and triangles of
// zero area. Removes triangles with a vertex twice, which cover nothing, with a warning; warns of unused vertices.
void validate(TriMesh& mesh, const std::string& source);

}  // namespace sinew
