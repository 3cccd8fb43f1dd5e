#include "sinew/io/file_stem.h"

#include <cctype>
#include <filesystem>

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

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

}  // namespace sinew
