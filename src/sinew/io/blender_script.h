// Writes a Python script for Blender that imports the point caches of a run.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Returns the text of a script that lies beside NAME.obj and NAME.pc2 for each of `names`. Blender's up axis is z. If
// gravity is nearest to another axis than -z, the script rotates the objects upright.
std::string blender_script(const std::vector<std::string>& names, const Vec3& gravity);

}  // namespace sinew
