// Better tets by flips, collapses of short edges and moves of vertices, where the angles are bad. Surfaces and
// interfaces stay, and then are moved out by half of what their triangles cut off, so that volumes are kept.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

// The surface between two labels (0 outside), for vertices that slide along it. Moves p along the unit direction n,
// which points into label `outer`, onto the surface, by at most `reach` [m]; false when it is not found there.
using Projection = std::function<bool(Vec3& p, const Vec3& n, Index inner, Index outer, double reach)>;

struct ImproveOptions {
  double min_dihedral = 10;                      // [degrees], aimed at, as is 180 less this for the largest
  double deviation = 0;                          // by which a flip or collapse may change a surface [m]
  Projection project = {};                       // none: vertices of surfaces stay
  std::vector<bool> fixed = {};                  // vertices that stay, for example on sharp edges; may be empty
  std::vector<std::array<Index, 2>> sharp = {};  // edges of the mesh that stay
};

// Works on tets, regions and vertices; regions count from 1, groups and fields of the mesh must be empty. Vertices that
// lose all their tets are removed, so ids may change. Sequential, the same bits each time.
void improve(TetMesh& mesh, const ImproveOptions& options);

}  // namespace sinew::mesher
