// From surfaces to tets: the plain path for closed surfaces, and the robust one for all others.
#pragma once

#include <vector>

#include "deviation.h"
#include "implicit_mesher.h"
#include "surface_input.h"

#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

struct SurfaceMeshOptions {
  double size = 0;            // edge length [m]; 0: 1/40 of the diagonal of the bounding box, less where all is thin
  double distance = 0;        // of the mesh from the surface [m]; 0: a twentieth of the size
  double feature_angle = 60;  // [degrees]; 0: no sharp edges are kept but those between regions
  bool robust = false;
  ProgressFunction progress = {};
};

struct SurfaceMesh {
  TetMesh mesh;
  double size = 0, diagonal = 0;  // edge length aimed at; of the bounding box of the surfaces [m]
  Deviation mesh_to_surface, surface_to_mesh;
};

// Throws InputError when the options are out of range, the surfaces are not fit (see check_surfaces()) or refinement
// does not end.
SurfaceMesh mesh_surfaces(std::vector<InputSurface> surfaces, const SurfaceMeshOptions& options);

}  // namespace sinew::mesher
