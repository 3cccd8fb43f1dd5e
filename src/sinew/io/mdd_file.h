// Point caches in LightWave's MDD format, as Blender's Mesh Cache modifier and Houdini read them. Layout (big-endian):
// int32 frames, int32 vertices, float32 time of each frame [s]. Then frames x vertices x 3 float32.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// frame(k): positions, 3 x vertices [m]. Throws SimulationError.
void write_mdd(const std::string& path, Index vertices, const std::vector<double>& times,
               const std::function<Eigen::Matrix3Xf(std::size_t)>& frame);

}  // namespace sinew
