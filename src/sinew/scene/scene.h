// Reads the scene format: from JSON to a Setup with meshes loaded, selections resolved and materials looked up.
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

// Settings for the output of a run.
struct OutputSetup {
  int every = 1;                                    // number of steps from frame to frame
  std::vector<std::string> formats{"vtu", "html"};  // rows of the table in io/frame_sink.cpp; may be empty
  int checkpoint = 1;                               // number of steps from checkpoint to checkpoint; 0: none
  SoundSettings sound;                              // for format "wav"
  // Further fields of frames: of tets and contact, and of tets averaged at vertices (io/requested_fields.h).
  std::vector<std::string> fields, nodal_fields;

  bool writes(std::string_view format) const { return std::ranges::count(formats, format) > 0; }
};

// The state of another run from which a scene starts.
struct InitialSetup {
  std::string path;         // a frame or checkpoint; empty: the rest state
  bool reset_time = false;  // time starts at 0, otherwise at the state's time
};

struct Scene {
  std::string source;  // the file, or a name that the caller gave
  Setup setup;
  OutputSetup output;
  int compare_from = 0;  // step from which `compare` starts
  InitialSetup initial;
  std::vector<ShapeFile> shapes;      // gallery shapes, and the files with their meshes
  std::vector<MaterialFit> fits;      // fits of materials with "from_data"
  nlohmann::ordered_json completed;   // with all defaults, and fitted values in place of "from_data"
  std::vector<std::string> warnings;  // already logged
  // Keys of `solver`, given with "auto", that only some of its candidates use.
  std::vector<std::string> doubtful_keys;
};

// Reads a scene file. overrides: path.to.key=VALUE as in --set. Throws InputError naming file, key, what was found,
// what was expected and what to do.
Scene read_scene(const std::string& path, const std::vector<std::string>& overrides = {},
                 const ReadingHooks& hooks = {});

// Reads a scene from a JSON value. Relative paths start at `base_dir`; error messages begin with `source`.
Scene parse_scene(const nlohmann::json& scene, const std::filesystem::path& base_dir,
                  const std::string& source = "scene", const ReadingHooks& hooks = {});

// Builds the model of the scene, from which it moves the meshes, and resolves "auto". Throws InputError whose message
// begins with the scene's source.
std::shared_ptr<System> build_system(Scene& scene);

// Returns the scene with all defaults, including names and materials of bodies; loads no mesh.
nlohmann::ordered_json completed_scene(const nlohmann::json& scene, const std::string& source = "scene");

}  // namespace sinew
