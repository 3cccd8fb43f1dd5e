// Regions of space that select vertices: box, ball, cylinder, half-space, slab around a plane.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sinew/scene/node.h"

namespace sinew {

// Returns how far a point lies outside the region [m]; 0 or less inside.
using RegionDistance = std::function<double(const Vec3&)>;

// Returns the region of a key of a selection, such as "box"; none for keys that are no region of space. Throws
// InputError for directions of length zero and radii without a region between them.
std::optional<RegionDistance> selection_region(const std::string& key, const Node& node);

}  // namespace sinew
