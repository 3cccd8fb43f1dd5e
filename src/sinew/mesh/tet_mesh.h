// The mesh of a body as read from a file or made by a primitive, in the user's numbering: tets, or triangles of a
// cloth.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// A group of a mesh file: vertices (dim 0), surface triangles (dim 2) or tets (dim 3), with an id and perhaps a name.
struct ElementGroup {
  int dim = 0;
  int id = 0;
  std::string name;               // empty if the file gives no name
  Triangles triangles;            // 3 x k vertex ids, dim 2
  std::vector<Index> tets;        // tet ids, dim 3
  std::vector<Index> vertices{};  // vertex ids, dim 0, ascending
};

// The place of a node on an edge, from a mesh of second order.
struct MidNode {
  Index a = 0, b = 0;  // the ends of the edge
  Vec3 position;       // [m]
};

struct TetMesh {
  Points vertices;      // 3 x n [m]
  Tets tets;            // 4 x m, positively oriented: det[b-a, c-a, d-a] > 0
  Triangles triangles;  // 3 x f, only of a cloth, which has no tets
  // Ten-node tets, 10 x m/8; `tets` are then their divisions (mesh/quadratic_tets.h). Empty: the tets are linear.
  QuadraticTets quadratic;
  // Nodes of a file of second order that is read as linear tets, or of a round primitive; ascending in (a, b), a < b.
  std::vector<MidNode> mid_nodes;
  std::vector<Index> regions;  // by tet: region id (physical volume id, else the file's entity id, else 0)
  std::vector<ElementGroup> groups;
  std::map<std::string, std::vector<double>> cell_fields;  // arrays of a .vtu by name, c x m values for m tets

  Index vertex_count() const { return static_cast<Index>(vertices.cols()); }
  Index tet_count() const { return static_cast<Index>(tets.cols()); }
  bool is_cloth() const { return triangles.cols() > 0; }
  Index element_count() const { return is_cloth() ? static_cast<Index>(triangles.cols()) : tet_count(); }
};

// A triangle mesh: an obstacle, or the surface of a tet mesh.
struct TriMesh {
  Points vertices;      // 3 x n [m]
  Triangles triangles;  // 3 x f, counter-clockwise seen from outside
};

}  // namespace sinew
