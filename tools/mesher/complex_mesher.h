// Tets between surfaces by Delaunay refinement (CGAL Mesh_3), and the crossings of triangles by exact predicates.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "implicit_mesher.h"
#include "surface_complex.h"

#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

// Sequential, the same bits each time. Nothing when refinement does not end, as at sharp edges that meet at very small
// angles.
std::optional<TetMesh> mesh_complex(const SurfaceComplex& surfaces, const MeshingOptions& options);

// Pairs of triangles that meet anywhere else than at the vertices they share, ascending; at most `most`. Triangles of
// zero area are passed over.
std::vector<std::pair<Index, Index>> find_intersections(const Points& vertices, const Triangles& triangles,
                                                        std::size_t most);

}  // namespace sinew::mesher
