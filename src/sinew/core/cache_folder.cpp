#include "sinew/core/cache_folder.h"

#include <cstdlib>

namespace sinew {

std::string cache_folder() {
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder) return std::string(folder) + "/sinew";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/sinew";
  return "";
}

}  // namespace sinew
