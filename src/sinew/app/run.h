// Runs of scenes for other commands.
#pragma once

#include <string>

#include "sinew/app/scene_options.h"

namespace sinew::app {

// Runs a scene as `sinew run SCENE -o folder` does, without printing where its results are.
void run_into(const SceneOptions& scene, const std::string& folder, bool overwrite);

}  // namespace sinew::app
