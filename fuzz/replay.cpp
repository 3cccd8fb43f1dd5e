// Feeds files to a fuzz target, without libFuzzer: `replay TARGET FILE_OR_FOLDER...`. Seeds and the inputs that once
// made a target fail run so in the tests of every build.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "target.h"

namespace {

std::vector<std::string> files_of(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// False after saying why.
bool replay(const sinew::fuzz::Target& target, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    return false;
  }
  try {
    target(bytes);
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
    return false;
  }
}

// Whether `names` are those of all targets; says which are not.
bool expect(std::vector<std::string> names) {
  std::istringstream text(sinew::fuzz::target_names());
  std::vector<std::string> known{std::istream_iterator<std::string>(text), {}}, differing;
  std::sort(known.begin(), known.end());
  std::sort(names.begin(), names.end());
  std::set_symmetric_difference(known.begin(), known.end(), names.begin(), names.end(), std::back_inserter(differing));
  for (const std::string& name : differing)
    std::fprintf(stderr, "%s: expected both a target and a folder of seeds\n", name.c_str());
  return differing.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == std::string("--expect")) return expect({argv + 2, argv + argc}) ? 0 : 1;
  const sinew::fuzz::Target target = sinew::fuzz::find_target(argc > 1 ? argv[1] : "");
  if (!target) {
    std::fprintf(stderr, "usage: %s TARGET FILE_OR_FOLDER..., where TARGET is one of: %s\n", argv[0],
                 sinew::fuzz::target_names().c_str());
    return 2;
  }
  int count = 0, failures = 0;
  for (int i = 2; i < argc; ++i) {
    if (!std::filesystem::exists(argv[i])) continue;  // a target without regressions has no folder of them
    for (const std::string& path : files_of(argv[i])) {
      std::printf("%s\n", path.c_str());  // the last one printed is the one that crashed
      std::fflush(stdout);
      ++count;
      failures += !replay(target, path);
    }
  }
  std::printf("%d inputs, %d failures\n", count, failures);
  return failures == 0 && count > 0 ? 0 : 1;
}
