// Reads the skeleton of a body.
#pragma once

#include <filesystem>

#include "sinew/model/setup.h"
#include "sinew/scene/node.h"

namespace sinew {

// mesh: that of the body after its transform. Computes weights by heat diffusion unless a file gives them. Throws
// InputError.
SkeletonSetup read_skeleton(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir);

}  // namespace sinew
