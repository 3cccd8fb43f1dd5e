// A surface of any resolution that is drawn in place of a body's own. It follows the body's vertices in the output of a
// run, and takes no part in the simulation.
#pragma once

#include <string>
#include <vector>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/embedding.h"

namespace sinew {

struct RenderSurface {
  TriMesh mesh;  // at rest
  // The statements of an .obj file beside vertex positions: polygons, texture coordinates, and names of objects, groups
  // and materials (formats/obj.h). Empty: the triangles alone.
  std::string layout;

  // Filled in while the system is built, for each vertex: the vertices that it follows, in the numbering of the body's
  // mesh. The tet that holds it or is nearest (-1: an affine body).
  std::vector<Embedding::Row> rows;
  std::vector<Index> tets;

  // 3 x vertices; user: positions by vertex of the user, those of the body from `first` on.
  Points positions(const Points& user, Index first) const;
  // Weighted means of values at the user's vertices. Negative weights, at vertices outside the tets, are left out, so
  // that a mean lies within the range of its values.
  VecX means(const VecX& user, Index first) const;
  // For each vertex, the user's vertex that it follows most.
  std::vector<Index> leaders(Index first) const;
};

}  // namespace sinew
