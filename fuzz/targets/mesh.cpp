// Mesh readers, one target a format, with what follows them: validation, the boundary of a volume. An input may hold
// other files that the format asks for, each behind a line `%% NAME`.
#include <map>

#include "targets.h"

#include "sinew/formats/read.h"
#include "sinew/mesh/validate.h"

namespace sinew::fuzz {
namespace {

// Removes the other files from `input`.
std::map<std::string, std::string> take_other_files(std::string_view& input) {
  constexpr std::string_view mark = "\n%% ";
  std::map<std::string, std::string> files;
  for (std::size_t at = input.rfind(mark); at != std::string_view::npos; at = input.rfind(mark)) {
    const std::string_view rest = input.substr(at + mark.size());
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    files[std::string(rest.substr(0, end))] = rest.substr(std::min(end + 1, rest.size()));
    input = input.substr(0, at + 1);
  }
  return files;
}

void read(const MeshFormat& format, std::string_view input) {
  const std::map<std::string, std::string> others = take_other_files(input);
  MeshSource source{input, std::string("input") + format.extension};
  source.other = [&](const std::string& relative_path) -> std::optional<std::string> {
    const auto found = others.find(relative_path);
    return found == others.end() ? std::nullopt : std::optional(found->second);
  };
  MeshFile file;
  allow_input_error([&] {
    file = format.parse(source);
    TetMesh volume = file.volume;
    validate(volume, source.name);
  });
  allow_input_error([&] {
    TriMesh surface = surface_of(file, source.name);
    validate(surface, source.name);
  });
}

}  // namespace

std::vector<TargetRow> mesh_targets() {
  std::vector<TargetRow> rows;
  for (const MeshFormat& format : mesh_formats()) {
    rows.push_back({format.extension + 1, [&format](std::string_view input) { read(format, input); }});
  }
  return rows;
}

}  // namespace sinew::fuzz
