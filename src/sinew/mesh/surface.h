// Computes the boundary of a tet mesh and the adjacency of elements: faces, edges, neighbours, incidence, components.
// All results depend only on the elements' numbering, not on threads or hashing.
#pragma once

#include <array>

#include "sinew/core/tet_topology.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// Local vertices of the face opposite to vertex i of a positively oriented tet; the faces point outward.
inline constexpr std::array<std::array<int, 3>, 4> tet_faces = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

// Faces that belong to exactly one tet, oriented outwards, in an order that depends only on the tets.
Triangles boundary_triangles(const Tets& tets);

// Whether triangles enclose a volume: each edge is passed equally often in both directions.
bool encloses_volume(const Triangles& triangles);

// The area of an outward triangle that a force in a direction (unit vector) presses on: its projection if the force
// pushes inwards, else 0.
double pressed_area(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& direction);

// The unique undirected edges (smaller id first) of triangles, sorted.
Edges unique_edges(const Triangles& triangles);

// The unique undirected edges (smaller id first) of tets, sorted.
Edges unique_edges(const Tets& tets);

// Sorted ids of the vertices that occur in the elements.
std::vector<Index> used_vertices(const Triangles& triangles);
std::vector<Index> used_vertices(const Tets& tets);

// Sorted ids of the vertices that a body's tets, or a cloth's triangles, use.
std::vector<Index> used_vertices(const TetMesh& mesh);

// A face of a tet, for finding it among all faces sorted by their vertices.
struct TetFace {
  Index a, b, c;      // vertex ids, ascending
  std::int64_t face;  // 4 tet + local face, opposite to that local vertex

  Index tet() const { return static_cast<Index>(face / 4); }
  int local() const { return static_cast<int>(face % 4); }
  bool same_vertices(const TetFace& other) const { return a == other.a && b == other.b && c == other.c; }
};

// Returns all 4 m faces, sorted by vertices, then by tet. Equal faces are then neighbours in the list. O(m log of the
// vertex valence).
std::vector<TetFace> sorted_faces(const Tets& tets);

// Returns +1 if the outward face `local` of tet t is an even permutation of its ascending vertices, else -1.
int face_parity(const Tets& tets, Index t, int local);

// 4 x m: the tet across the face opposite to each local vertex; -1 on the boundary. A face of three or more tets links
// only the first two (validate() refuses such meshes).
Tets tet_neighbours(const Tets& tets);
Tets tet_neighbours(const Tets& tets, const std::vector<TetFace>& faces);  // faces = sorted_faces(tets)

// The elements that contain each vertex, ascending: items[offsets[v] .. offsets[v+1]).
struct Incidence {
  std::vector<Index> offsets;  // vertex_count + 1 entries
  std::vector<Index> items;
};
Incidence vertex_tets(const Tets& tets, Index vertex_count);
Incidence vertex_triangles(const Triangles& triangles, Index vertex_count);

// Elements connected through shared vertices. Labels count from 0, in the order of each component's first element.
struct Components {
  Index count = 0;
  std::vector<Index> labels;  // by element
};
Components connected_components(const Tets& tets);
Components connected_components(const Triangles& triangles);

// Returns the mesh with only the vertices that its triangles use, in ascending order of their ids.
TriMesh compacted(const Points& vertices, const Triangles& triangles);

}  // namespace sinew
