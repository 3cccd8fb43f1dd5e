// Reads `solver` of a scene.
#pragma once

#include <filesystem>

#include "sinew/model/setup.h"
#include "sinew/scene/node.h"

namespace sinew {

// node: the completed object. Paths of modes are relative to base_dir. Throws InputError naming the key.
SolverSetup read_solver(const Node& node, const std::filesystem::path& base_dir);

}  // namespace sinew
