// The options of `sinew render`, and what they say about pictures.
#pragma once

#include <string>

#include "sinew/app/film.h"
#include "sinew/app/scene_options.h"

namespace CLI {
class App;
}

namespace sinew::app {

struct RenderOptions {
  SceneOptions scene;  // path: the run's folder or the scene
  std::string output, keep;
  std::string size = "1280x720", camera = "fixed", view, from, to, field, map = "viridis", range, background = "light",
              color = "auto", quality = "good";
  int fps = 30, step = -1;
  double speed = 1, time = 0, turn = 360;
  bool overwrite = false, no_legend = false;
  CLI::App* command = nullptr;

  bool given(const char* option) const;
};

// Reads the options that need no run. Throws InputError naming the option that is wrong.
FilmSettings film_settings(const RenderOptions& options);

}  // namespace sinew::app
