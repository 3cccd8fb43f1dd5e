// Callbacks for reading a scene, which takes long if meshes must be made.
#pragma once

#include <functional>
#include <string>

namespace sinew {

struct ReadingHooks {
  std::function<bool()> interrupted;  // true: reading throws Interrupted; empty: never
  // Receives lines; each replaces the last one. An empty line marks the end.
  std::function<void(const std::string&)> progress;
  bool log_warnings = true;  // otherwise warnings are only in Scene::warnings
};

}  // namespace sinew
