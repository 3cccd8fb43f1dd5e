// Selects vertices and boundary faces of a body, in its rest state.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/node.h"

namespace sinew {

// Evaluates selections. A node is an object that contains a selection among other keys (a fix, a load), or a selection
// alone ("all"). Geometric bounds are widened by 1e-9 of the body's diagonal, so that rounding in a transform loses no
// vertex.
class Selector {
 public:
  // mesh: after its transform; must outlive the selector. body: its name, for errors.
  Selector(const TetMesh& mesh, std::string body);

  // Returns the ids of the selected vertices, ascending, without nodes that no element uses. Throws InputError if none
  // are selected.
  std::vector<Index> vertices(const Node& selection) const;

  // Returns the selected boundary faces, outward. All triangles of a cloth are boundary faces, oriented as in its mesh.
  // A face is selected if it belongs to the group, the smooth patch or is the nearest one. Otherwise it is selected if
  // all three of its vertices are.
  // Throws InputError if none are selected.
  Triangles faces(const Node& selection) const;
  Triangles faces_or_none(const Node& selection) const;  // may return no faces; does not throw for that
  const Triangles& boundary() const { return boundary_; }

 private:
  using Mask = std::vector<char>;

  Mask vertex_mask(const Node& selection) const;
  Mask face_mask(const Node& selection) const;
  Mask group_faces(const Node& name) const;
  const std::vector<const ElementGroup*> find_groups(const Node& name) const;
  std::string group_list() const;  // names of the mesh's groups, for messages
  std::string nearest_outside(const Node& selection) const;
  Index nearest_vertex(const Vec3& p) const;
  template <class MaskOf>
  static void combine(const std::string& key, const Node& node, Mask& mask, MaskOf&& mask_of);

  const TetMesh& mesh_;
  std::string body_;
  Mask used_;
  Triangles boundary_;
  std::vector<Index> boundary_tet_;  // by boundary face: its tet; of a cloth -1
  double tolerance_ = 0;             // [m]
};

}  // namespace sinew
