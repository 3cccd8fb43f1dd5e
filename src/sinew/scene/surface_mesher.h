// Fills a closed surface with tets by sinew-mesh.
#pragma once

#include <optional>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/scene/reading_hooks.h"

namespace sinew {

// Options of `sinew-mesh tets`; those left out have its defaults.
struct SurfaceMeshing {
  std::optional<double> size;           // edge length [m]
  std::optional<double> distance;       // of the mesh from the surface at most [m]
  std::optional<double> feature_angle;  // edges where the surface turns by more stay sharp [degrees]
  bool robust = false;                  // by winding numbers, for surfaces with faults
};

// Returns a validated mesh. Throws InputError if the surface cannot be meshed, or if there is no sinew-mesh,
// SimulationError if the mesher fails, and Interrupted if asked to end. Messages begin with `place`.
TetMesh mesh_surface(const TriMesh& surface, const SurfaceMeshing& options, const std::string& place,
                     const ReadingHooks& hooks = {});

}  // namespace sinew
