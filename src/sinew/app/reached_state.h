// Keeps states from which a comparison starts in the user's cache folder.
#pragma once

#include <string>

#include "sinew/io/checkpoint.h"

namespace sinew::app {

// Brings `simulation`, which must be built from `scene`, to the given step. Starts from the nearest cached state of the
// same scene and method, and caches the result. Warns if the cache cannot be written.
void reach_step(Simulation& simulation, const SceneText& scene, int step, bool quiet);

}  // namespace sinew::app
