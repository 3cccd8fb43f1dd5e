// Reads the sensors of a scene.
#pragma once

#include <vector>

#include "sinew/model/setup.h"
#include "sinew/scene/node.h"

namespace sinew {

// sensors: the completed object, by name. The setup has bodies, obstacles and ties. Throws InputError naming the key.
std::vector<Sensor> read_sensors(const Node& sensors, const Setup& setup);

}  // namespace sinew
