// Surfaces as a user gives them, read and welded.
#pragma once

#include <string>
#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

struct InputSurface {
  std::string name;  // of its region
  std::string path;  // in messages
  TriMesh mesh;      // finite coordinates, no two vertices in one place, no triangle with a vertex twice
};

// `broken`: triangles without finite coordinates or with ids out of range are left out with a warning, not refused.
// A file with groups of triangles (.msh, .mesh) gives one surface for each that is closed by itself, else one for all.
// Names are those of the files (or groups) and unique. Throws InputError.
std::vector<InputSurface> read_surfaces(const std::vector<std::string>& paths, bool broken);

}  // namespace sinew::mesher
