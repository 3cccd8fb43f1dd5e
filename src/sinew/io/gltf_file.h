// Writes animated surfaces as binary glTF 2.0 (.glb): Khronos Group, "glTF 2.0 Specification" (2021).
//
// A node and a mesh for each part, below a node that turns the up axis to +y. Rigid and affine parts have animated
// nodes, others a morph target for each frame after the first. A primitive is what one material and one group share.
#pragma once

#include <string>

#include "sinew/io/surface_parts.h"

namespace sinew {

// Throws SimulationError if the file cannot be written, or would be larger than the 4 GiB that the format allows.
void write_glb(const std::string& path, const SurfaceAnimation& animation);

}  // namespace sinew
