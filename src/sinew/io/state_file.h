// The present state as one file, by its extension.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/frame.h"

namespace sinew {

// ".vtu", ".obj", ".ply"
const std::vector<std::string>& state_file_extensions();

// Writes the bodies with their fields (.vtu), or the surfaces of bodies and mesh obstacles (.obj, .ply). An .obj has an
// object for each. In a .ply, the property `object` of triangles counts bodies, then obstacles. Throws InputError for
// another extension and a folder that does not exist, and SimulationError if writing fails.
void write_state_file(const std::string& path, Frame& frame);

}  // namespace sinew
