// A surface of any resolution that is drawn in place of a body's own surface. It follows the body's vertices in the
// output of a run, and does not affect the simulation.
#pragma once

#include <string>
#include <vector>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/model/embedding.h"

namespace sinew {

struct RenderSurface {
  TriMesh mesh;  // at rest
  // The statements of an .obj file other than vertex positions: polygons, texture coordinates, and names of objects,
  // groups and materials (formats/obj.h). Empty: only the triangles.
  std::string layout;

  // Filled in while the system is built, for each vertex of the surface. rows: the vertices that it follows, numbered
  // as in the body's mesh. tets: the tet that contains the vertex or is nearest (-1: an affine body).
  std::vector<Embedding::Row> rows;
  std::vector<Index> tets;

  // Returns the positions, 3 x vertices. user: positions by user vertex, those of the body from column `first` on.
  Points positions(const Points& user, Index first) const;
  // Weighted means of values at the user's vertices. Negative weights, of surface vertices outside the tets, are left
  // out, so that a mean lies within the range of its values.
  VecX means(const VecX& user, Index first) const;
  // For each vertex of the surface, the user's vertex with the largest weight.
  std::vector<Index> leaders(Index first) const;
};

}  // namespace sinew
