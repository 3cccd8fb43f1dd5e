// Reads the key `vertices` of obstacles: positions of each vertex by time, from a vertex cache.
#pragma once

#include <filesystem>
#include <memory>

#include "sinew/model/motion.h"
#include "sinew/scene/node.h"

namespace sinew {

// vertices: number of vertices of the obstacle's mesh. frame: time between frames of caches without times [s], where
// the scene gives no rate. Throws InputError naming the key or the file.
std::shared_ptr<const Course> read_vertices(const Node& node, const std::filesystem::path& base_dir, Index vertices,
                                            double frame);

}  // namespace sinew
