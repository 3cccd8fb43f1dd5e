#include "paths.h"

#include <cstdlib>
#include <filesystem>

namespace sinew::test {

std::string source_folder() {
  return SINEW_SOURCE_DIR;
}

std::string data_folder() {
  const char* given = std::getenv("SINEW_TEST_DATA");
  const std::string folder = given != nullptr ? given : SINEW_DEFAULT_TEST_DATA;
  return std::filesystem::is_directory(folder) ? folder : "";
}

}  // namespace sinew::test
