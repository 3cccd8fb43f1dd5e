// States that a comparison starts from, kept between calls in the user's cache folder.
#pragma once

#include <string>

#include "sinew/io/checkpoint.h"

namespace sinew::app {

// Brings `simulation`, which was built from `scene`, to the given step, starting from the nearest cached state of the
// same scene and method, and caches the result. A cache that cannot be written is a warning.
void reach_step(Simulation& simulation, const SceneText& scene, int step, bool quiet);

}  // namespace sinew::app
