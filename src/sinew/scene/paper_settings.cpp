#include "sinew/scene/paper_settings.h"

namespace sinew {
namespace {

bool asks_for_paper(const nlohmann::json& settings) {
  if (!settings.is_object()) return false;
  const auto paper = settings.find("paper");
  return paper != settings.end() && paper->is_boolean() && paper->get<bool>();
}

}  // namespace

nlohmann::json with_paper_settings(nlohmann::json scene, const nlohmann::ordered_json& schema) {
  if (!scene.is_object() || !scene.contains("solver") || !scene["solver"].is_object()) return scene;
  const auto& methods = schema["properties"]["solver"]["properties"];
  for (auto& [name, settings] : scene["solver"].items()) {
    if (!methods.contains(name) || !asks_for_paper(settings)) continue;
    for (const auto& [key, rule] : methods[name]["properties"].items())
      if (rule.contains("x-paper") && !settings.contains(key)) settings[key] = nlohmann::json(rule["x-paper"]);
  }
  return scene;
}

}  // namespace sinew
