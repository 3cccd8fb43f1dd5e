#include "sinew/io/file_stem.h"

namespace sinew {

std::string file_stem(const std::string& name) {
  constexpr std::size_t longest = 120;
  std::string stem;
  for (const char c : name) {
    if (stem.size() == longest) break;
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                      c == '_' || (c == '.' && !stem.empty());
    stem += safe ? c : '_';
  }
  return stem.empty() ? "scene" : stem;
}

}  // namespace sinew
