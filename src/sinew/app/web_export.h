// `sinew export SCENE --web OUT.html`: a page that simulates a scene by itself.
#pragma once

#include <string>

#include "sinew/app/scene_options.h"

namespace sinew::app {

struct WebExport {
  SceneOptions scene;
  std::string page;
  int triangles = 30000;  // of the surfaces that the page draws, at most
  bool overwrite = false;
};

int export_web(const WebExport& options);

}  // namespace sinew::app
