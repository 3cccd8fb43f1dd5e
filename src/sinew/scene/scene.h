// The scene format: from JSON to a Setup with meshes loaded, selections resolved and materials looked up.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/model/system.h"
#include "sinew/scene/fit_materials.h"
#include "sinew/scene/reading_hooks.h"
#include "sinew/scene/shape_mesh.h"
#include "sinew/sound/sound_settings.h"

namespace sinew {

// The output of a run.
struct OutputSetup {
  int every = 1;                                    // steps from frame to frame
  std::vector<std::string> formats{"vtu", "html"};  // rows of the table in io/frame_sink.cpp; may be empty
  int checkpoint = 1;                               // steps from checkpoint to checkpoint; 0: none
  SoundSettings sound;                              // of format "wav"

  bool writes(std::string_view format) const { return std::ranges::count(formats, format) > 0; }
};

// The state of another run that a scene starts from.
struct InitialSetup {
  std::string path;         // a frame or checkpoint; empty: the rest state
  bool reset_time = false;  // time starts at 0; else it goes on from that of the state
};

struct Scene {
  std::string source;  // the file, or what a caller named it
  Setup setup;
  OutputSetup output;
  int compare_from = 0;  // step from which `compare` starts
  InitialSetup initial;
  std::vector<ShapeFile> shapes;           // of the gallery, and where their meshes are
  std::vector<MaterialFit> fits;           // of materials with "from_data"
  nlohmann::ordered_json completed;        // with all defaults, and fitted values in the place of "from_data"
  std::vector<std::string> warnings;       // each has been logged too
  std::vector<std::string> doubtful_keys;  // of `solver`, given with "auto", that not all of its candidates use
};

// Reads a scene file; `overrides` are path.to.key=VALUE as in --set. Throws InputError naming file, key, what was
// found, what was expected and what to do.
Scene read_scene(const std::string& path, const std::vector<std::string>& overrides = {},
                 const ReadingHooks& hooks = {});

// Reads a scene from a JSON value. Relative paths start at `base_dir`; errors begin with `source`.
Scene parse_scene(const nlohmann::json& scene, const std::filesystem::path& base_dir,
                  const std::string& source = "scene", const ReadingHooks& hooks = {});

// The model of the scene, whose meshes it takes, with "auto" settled. Throws InputError that begins with the scene's
// source.
std::shared_ptr<System> build_system(Scene& scene);

// The scene with all defaults filled in, names and materials of bodies included; loads no mesh.
nlohmann::ordered_json completed_scene(const nlohmann::json& scene, const std::string& source = "scene");

}  // namespace sinew
