// Writes animated surfaces as a USD text file (.usda): Pixar, "Universal Scene Description", schemas UsdGeom, UsdShade
// and UsdPreviewSurface.
//
// A Mesh with time samples for each part, below an Xform that is the default prim. Materials are in its scope Looks.
// They are bound by GeomSubsets where a part has several.
#pragma once

#include <string>

#include "sinew/io/surface_parts.h"

namespace sinew {

// Throws SimulationError if the file cannot be written.
void write_usda(const std::string& path, const SurfaceAnimation& animation);

}  // namespace sinew
