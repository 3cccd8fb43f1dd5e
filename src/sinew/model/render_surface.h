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
  // How the file has it beside the places of vertices: statements of an .obj file, with polygons, texture coordinates,
  // and names of objects, groups and materials (formats/obj.h). Empty: the triangles alone.
  std::string layout;

  // Filled in while the system is built, for each vertex: the vertices that it follows, in the numbering of the body's
  // mesh. The tet that holds it or is nearest (-1: an affine body).
  std::vector<Embedding::Row> rows;
  std::vector<Index> tets;

  // 3 x vertices; user: positions by vertex of the user, those of the body from `first` on.
  Points positions(const Points& user, Index first) const;
  // Means of values by vertex of the user. Weights below zero, of vertices outside of the tets, are left out: the
  // values stay between those that they are means of.
  VecX means(const VecX& user, Index first) const;
  // The vertex that each vertex follows most, by the user.
  std::vector<Index> leaders(Index first) const;
};

}  // namespace sinew
