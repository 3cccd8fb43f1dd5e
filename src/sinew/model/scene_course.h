// Courses that obstacles have in the scene: positions of each vertex by time. A script's target replaces them until its
// control ends.
#pragma once

#include <cstddef>
#include <memory>

#include "sinew/model/system.h"

namespace sinew {

// The course in the scene of System::motions[motion]; null: it has none.
std::shared_ptr<const Course> scene_course(const System& system, std::size_t motion);

}  // namespace sinew
