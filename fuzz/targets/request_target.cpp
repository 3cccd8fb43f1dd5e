#include "sinew/live/request_target.h"

#include <stdexcept>

#include "targets.h"

#include "sinew/live/files.h"

namespace sinew::fuzz {

void request_target(std::string_view input) {
  // The folder holds one file, and its parent another.
  static const std::filesystem::path folder = [] {
    const std::filesystem::path outside = file_with("known.txt", "known");
    const std::filesystem::path result = std::filesystem::canonical(scratch_folder()) / "served";
    std::filesystem::create_directories(result);
    std::filesystem::copy_file(outside, result / "known.txt");
    return result;
  }();

  if (live::query_value("token=" + live::encoded(input), "token") != input)
    throw std::logic_error("a value is not read as it was written");
  const auto target = live::parse_target(input);
  if (!target) return;
  live::query_value(target->query, "token");
  const std::filesystem::path found = live::file_below(folder, target->path);
  if (!found.empty() && found != folder / "known.txt") throw std::logic_error("a file outside of the folder");
}

}  // namespace sinew::fuzz
