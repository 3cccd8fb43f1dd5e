// Callbacks while a scene is read, which takes long if meshes must be made.
#pragma once

#include <functional>
#include <string>

namespace sinew {

struct ReadingHooks {
  std::function<bool()> interrupted;                 // true: reading throws Interrupted; none: never
  std::function<void(const std::string&)> progress;  // gets lines, each in place of the last; empty at the end
  bool log_warnings = true;                          // else they are in Scene::warnings alone
};

}  // namespace sinew
