// A scene that is built in a millisecond, and the means to make others as cheap.
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

#include "sinew/model/system.h"

namespace sinew::fuzz {

// Two small boxes, one of them falling onto a plane, with a load, a spring and friction.
nlohmann::json small_scene();

// Raises the edge length of all primitives of a scene, which passed the schema, to a quarter of their size: a fine mesh
// is legitimate, and only slow.
void coarsen(nlohmann::json& scene);

// The model of small_scene(), built once.
std::shared_ptr<const System> small_system();

}  // namespace sinew::fuzz
