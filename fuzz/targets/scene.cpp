// Scene files and the parts of them that have a syntax of their own.
#include "sinew/scene/scene.h"

#include <cstdlib>

#include "small_scene.h"
#include "targets.h"

#include "sinew/scene/json_file.h"

namespace sinew::fuzz {
namespace {

// Reads a scene, makes its primitives coarse and builds its model.
void build(const nlohmann::json& given) {
  ::setenv("SINEW_MESH", "/dev/null", 1);  // no program is started for gallery shapes
  nlohmann::json scene = given;
  completed_scene(scene, "scene.json");  // as it was given
  coarsen(scene);
  Scene read = parse_scene(scene, scratch_folder(), "scene.json");
  build_system(read);
}

}  // namespace

void json(std::string_view input) {
  allow_input_error([&] { parse_json(std::string(input), "scene.json"); });
}

void scene(std::string_view input) {
  allow_input_error([&] { build(parse_json(std::string(input), "scene.json")); });
}

void selection(std::string_view input) {
  allow_input_error([&] {
    nlohmann::json scene = small_scene();
    scene["bodies"][0]["fix"] = nlohmann::json::array({parse_json(std::string(input), "scene.json")});
    build(scene);
  });
}

void set_value(std::string_view input) {
  allow_input_error([&] {
    nlohmann::json scene = small_scene();
    for (std::string_view rest = input; !rest.empty();) {  // an assignment each line
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      apply_override(scene, std::string(line));
    }
    build(scene);
  });
}

}  // namespace sinew::fuzz
