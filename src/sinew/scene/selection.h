// Selections of vertices and boundary faces of a body, in its rest state.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/node.h"

namespace sinew {

// The node of an object that holds a selection among other keys (a fix, a load), or of a selection alone ("all").
// Geometric bounds are widened by 1e-9 of the body's diagonal, so that rounding in a transform loses no vertex.
class Selector {
 public:
  // The mesh after its transform; it must outlive the selector. `body` is its name, for errors.
  Selector(const TetMesh& mesh, std::string body);

  // Ids of selected vertices, ascending; nodes that no element uses are left out. Throws InputError when there are
  // none.
  std::vector<Index> vertices(const Node& selection) const;

  // Selected faces of the boundary, outward; of a cloth all triangles are of its boundary, as they are wound. A face is
  // selected when it belongs to the group, else when all three of its vertices are. Throws InputError when there are
  // none.
  Triangles faces(const Node& selection) const;
  Triangles faces_or_none(const Node& selection) const;  // that does not throw
  const Triangles& boundary() const { return boundary_; }

 private:
  using Mask = std::vector<char>;

  Mask vertex_mask(const Node& selection) const;
  Mask face_mask(const Node& selection) const;
  Mask group_faces(const Node& name) const;
  const std::vector<const ElementGroup*> find_groups(const Node& name) const;
  std::string group_list() const;  // of the mesh, for messages
  template <class Inside>
  Mask where(Inside&& inside) const;

  const TetMesh& mesh_;
  std::string body_;
  Mask used_;
  Triangles boundary_;
  std::vector<Index> boundary_tet_;  // by boundary face; of a cloth -1
  double tolerance_ = 0;             // [m]
};

}  // namespace sinew
