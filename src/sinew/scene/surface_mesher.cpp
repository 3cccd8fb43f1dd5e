#include "sinew/scene/surface_mesher.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "sinew/core/error.h"
#include "sinew/formats/read.h"
#include "sinew/formats/write.h"
#include "sinew/mesh/validate.h"
#include "sinew/scene/mesher_program.h"
#include "sinew/scene/mesher_run.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

// A folder that goes with the object.
class ScratchFolder {
 public:
  ScratchFolder() : path_((fs::temp_directory_path() / "sinew-surface-XXXXXX").string()) {
    if (!::mkdtemp(path_.data()))
      throw SimulationError(code::output_write, fmt::format("{}: {}", path_, std::strerror(errno)));
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const char* name) const { return (fs::path(path_) / name).string(); }

 private:
  std::string path_;
};

// A user knows no files here.
std::string without_path(std::string text, const std::string& path) {
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
    text.replace(at, path.size(), "the surface");
  return text;
}

}  // namespace

TetMesh mesh_surface(const TriMesh& surface, const SurfaceMeshing& options, const std::string& place,
                     const ReadingHooks& hooks) {
  const ScratchFolder folder;
  const std::string input = folder.file("surface.obj"), output = folder.file("body.msh");
  MeshFile file;
  file.volume.vertices = surface.vertices;
  file.triangles = surface.triangles;
  write_mesh(input, file);
  std::vector<std::string> arguments{mesher_program(), "tets", input, "-o", output, "--quiet"};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) arguments.push_back(fmt::format("{}={}", name, *value));
  };
  add("--size", options.size);
  add("--distance", options.distance);
  add("--feature-angle", options.feature_angle);
  if (options.robust) arguments.emplace_back("--robust");
  const ProgramResult result = run_mesher(arguments, place, "meshing a surface", hooks);
  if (result.exit_code != 0) {
    const std::string text = fmt::format("{}: sinew-mesh: {}", place, without_path(mesher_complaint(result), input));
    if (result.exit_code == mesher_bad_input) throw InputError(mesher_code(result), text);
    throw SimulationError(code::mesher, text);
  }
  TetMesh mesh = read_tet_mesh(output);
  mesh.groups.clear();  // names of the file
  validate(mesh, place);
  return mesh;
}

}  // namespace sinew
