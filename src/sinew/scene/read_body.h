// Reads bodies and obstacles of a scene.
#pragma once

#include <map>
#include <vector>

#include "sinew/scene/read_material.h"
#include "sinew/scene/shape_mesh.h"

namespace sinew {

// Reads meshes, materials, fixes, loads and springs of all bodies. bodies: the completed array, in which every body has
// a name and a material. prefers_mixed: elements "auto" may be mixed ones (docs/tuning.md). Throws InputError naming
// the key.
std::vector<BodySetup> read_bodies(const Node& bodies, const MaterialContext& context, ShapeMesher& shapes,
                                   bool prefers_mixed);

// frame: time between frames of vertex caches without times [s].
std::vector<ObstacleSetup> read_obstacles(const Node& obstacles, const std::filesystem::path& base_dir, double frame,
                                          ShapeMesher& shapes);

// Reads ties between bodies. Throws InputError naming the key.
std::vector<TieSetup> read_ties(const Node& ties, const std::vector<BodySetup>& bodies);

}  // namespace sinew
