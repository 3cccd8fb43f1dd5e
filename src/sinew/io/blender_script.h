// A Python script for Blender that brings in the point caches of a run.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// The text of a script that lies beside NAME.obj and NAME.pc2 for each of `names`. Blender's up is z: with gravity
// nearest to an axis other than -z the objects are turned upright.
std::string blender_script(const std::vector<std::string>& names, const Vec3& gravity);

}  // namespace sinew
