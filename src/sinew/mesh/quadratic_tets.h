// Ten-node tets: nodes on the edges of linear tets, and their division into eight linear tets.
#pragma once

#include <vector>

#include "sinew/core/types.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// A ten-node tet is divided into this many linear tets.
inline constexpr int parts_of_quadratic = 8;

// Appends a vertex at the midpoint of each edge, in the order of the edges' corners, and returns the tets with ten
// nodes. O(tets log tets).
QuadraticTets with_mid_nodes(Points& vertices, const Tets& tets);

// Eight linear tets in each ten-node tet, positively oriented: the four at its corners, then four around the shortest
// diagonal of the octahedron that is left. Columns 8 t to 8 t + 7 belong to tet t.
Tets divided(const Points& vertices, const QuadraticTets& tets);

// The volume of ten-node tet t, whose edges may be curved [m^3].
double quadratic_tet_volume(const Points& vertices, const QuadraticTets& tets, Index t);

// Makes ten-node tets of a mesh of linear ones: mid-nodes are those of mesh.mid_nodes, and midpoints of other edges.
// Tets, regions, groups and fields become those of the divisions. Throws InputError if curved edges turn a tet inside
// out somewhere.
void make_quadratic(TetMesh& mesh);

// Entries of each tet, `width` of them, for each of its parts.
template <class T>
std::vector<T> repeated_for_parts(const std::vector<T>& values, std::size_t width) {
  std::vector<T> result;
  result.reserve(values.size() * parts_of_quadratic);
  for (auto at = values.begin(); at != values.end(); at += static_cast<std::ptrdiff_t>(width))
    for (int part = 0; part < parts_of_quadratic; ++part)
      result.insert(result.end(), at, at + static_cast<std::ptrdiff_t>(width));
  return result;
}

// The parts of ten-node tets in their division.
std::vector<Index> parts_of(const std::vector<Index>& tets);

}  // namespace sinew
