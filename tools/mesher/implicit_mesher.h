// Tets of a labelled solid by Delaunay refinement (CGAL Mesh_3). The only header between CGAL and the rest.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "solid.h"

#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

// Told the stage of the work ("refining") and the number of tets so far, many times a second.
using ProgressFunction = std::function<void(std::string_view stage, std::size_t tets)>;

struct MeshingOptions {
  double size = 0;            // edge length aimed at [m]
  double facet_distance = 0;  // of the surface from its triangles [m]; 0: a tenth of the size, less on thin parts
  double min_dihedral = 12;   // [degrees], aimed at
  double most_tets = 50e6;    // no more than that are made
  std::string_view too_many = "use a larger size";  // the remedy, where they do not suffice
  ProgressFunction progress = {};                   // none: silent
};

// Regions are numbered as labels, with their names as groups. Sequential, the same bits each time.
// Throws InputError when there is nothing inside the bounds, or when the mesh would be absurdly large.
TetMesh mesh_solid(const Solid& solid, const MeshingOptions& options);

}  // namespace sinew::mesher
