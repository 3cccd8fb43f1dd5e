// The numbered nodes, tets and triangles of a mesh, and its regions as groups, for the writers of .inp, .unv and .bdf.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "sinew/formats/mesh_file.h"

namespace sinew {

class DeckContent {
 public:
  explicit DeckContent(const MeshFile& mesh);

  // All from 0 on; files count from 1. Nodes are the vertices, then the nodes on edges of ten-node tets.
  Index node_count() const { return static_cast<Index>(mesh_.vertex_count() + mid_node_count_); }
  Vec3 node(Index v) const;

  bool has_ten_nodes() const { return quadratic_.cols() > 0; }
  // The nodes of a tet: corners, then those on quadratic_tet_edges.
  std::vector<Index> tet_nodes(Index t) const;

  // The triangles of a surface, or those of the groups of a volume, each once.
  const std::vector<std::array<Index, 3>>& triangles() const { return triangles_; }
  // The numbers of the triangles of mesh.groups[g].
  const std::vector<Index>& triangles_of(std::size_t g) const { return group_triangles_[g]; }
  // The nodes of mesh.groups[g], of dimension 0.
  std::vector<Index> nodes_of(std::size_t g) const;

  // The region of a tet; all 0 if the mesh has none.
  Index region(Index t) const { return mesh_.regions.empty() ? 0 : mesh_.regions[static_cast<std::size_t>(t)]; }
  // The number in mesh.groups of the group that has exactly the tets of a region and its id; -1 if there is none.
  int group_of_region(Index region) const;

 private:
  Index number_of_triangle(const Index* corners);

  const TetMesh& mesh_;
  QuadraticTets quadratic_;
  Index mid_node_count_ = 0;
  std::vector<std::array<Index, 3>> triangles_;
  std::map<std::array<Index, 3>, Index> numbers_;  // of triangles by sorted corners
  std::vector<std::vector<Index>> group_triangles_;
  std::map<Index, int> region_groups_;
};

// Returns a number above 0 that is not in `used`, and adds it: `wanted` if possible.
int free_number(int wanted, std::set<int>& used);

// Returns a name without quotes and line ends, which text files cannot hold.
std::string plain_name(const std::string& name);

}  // namespace sinew
