// Checks, after a mesh was read, that it can be simulated.
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// A tet counts as nearly flat below this quality (6 sqrt(2) |V| / l_rms^3, 1 for the regular tet).
inline constexpr double nearly_flat_quality = 1e-4;

// Throws InputError if a coordinate is not finite. Like the checks below, but alone: statistics of such a mesh mean
// nothing.
void require_finite(const Points& vertices, const std::string& source);

// Checks a tet mesh. Throws InputError with the number of offenders and the first few (ids from 0, with coordinates).
// First refuses a mesh without tets, coordinates that are not finite, vertex ids out of range, a repeated vertex in a
// tet, and duplicate tets, in this order. Then refuses zero volume, a face of more than two tets, and folded tets (on
// the same side of a face as the neighbour).
//
// If a face-connected component becomes positive by reordering vertices of tets with negative volume, reorders them
// with a warning: then only the order was wrong. Warns of nearly flat tets and of vertices in no tet, and keeps both.
// source: name of the mesh in messages.
void validate(TetMesh& mesh, const std::string& source);

// Checks a surface. Throws InputError if it has no triangles, coordinates that are not finite, vertex ids out of range,
// or triangles of zero area. Removes triangles with a repeated vertex, which cover nothing, with a warning. Warns of
// unused vertices.
void validate(TriMesh& mesh, const std::string& source);

}  // namespace sinew
