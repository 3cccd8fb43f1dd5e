#include "sinew/io/state_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/formats/byte_reader.h"
#include "sinew/formats/obj.h"
#include "sinew/io/picture_scene.h"
#include "sinew/io/vtu_frames.h"

namespace sinew {
namespace {

// The surfaces of all objects, one after the other. Triangles have the numbers of all vertices.
struct JoinedSurfaces {
  Points vertices;
  Triangles triangles;
  std::vector<Index> object;  // by triangle: its id
};

JoinedSurfaces join(const RenderScene& scene) {
  JoinedSurfaces joined;
  Eigen::Index vertices = 0, triangles = 0;
  for (const RenderObject& object : scene.objects) {
    vertices += object.positions.cols();
    triangles += object.mesh->triangle_count();
  }
  joined.vertices.resize(3, vertices);
  joined.triangles.resize(3, triangles);
  Index first = 0, next = 0;
  for (const RenderObject& object : scene.objects) {
    const RenderMesh& mesh = *object.mesh;
    joined.vertices.middleCols(first, object.positions.cols()) = object.positions;
    for (Index f = 0; f < mesh.triangle_count(); ++f, ++next)
      for (int k = 0; k < 3; ++k) joined.triangles(k, next) = first + mesh.vertices()[mesh.corners()(k, f)];
    joined.object.insert(joined.object.end(), static_cast<std::size_t>(mesh.triangle_count()), object.id);
    first += static_cast<Index>(object.positions.cols());
  }
  return joined;
}

std::string layout_text(const JoinedSurfaces& joined, const System& system) {
  std::string layout;
  for (std::size_t f = 0; f < joined.object.size(); ++f) {
    const auto t = joined.triangles.col(static_cast<Index>(f));
    if (f == 0 || joined.object[f] != joined.object[f - 1])
      layout += fmt::format("o {}\n", system.collision.owner_names[joined.object[f]]);
    layout += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  return layout;
}

template <class Value>
void add_bytes(std::string& out, Value value) {
  static_assert(std::endian::native == std::endian::little);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

std::string ply_text(const JoinedSurfaces& joined) {
  std::string out = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double "
      "z\n"
      "element face {}\nproperty list uchar int vertex_indices\nproperty int object\nend_header\n",
      joined.vertices.cols(), joined.triangles.cols());
  for (const double value : joined.vertices.reshaped()) add_bytes(out, value);
  for (std::size_t f = 0; f < joined.object.size(); ++f) {
    add_bytes(out, std::uint8_t{3});
    for (const Index v : joined.triangles.col(static_cast<Index>(f))) add_bytes(out, v);
    add_bytes(out, joined.object[f]);
  }
  return out;
}

}  // namespace

const std::vector<std::string>& state_file_extensions() {
  static const std::vector<std::string> names = {".vtu", ".obj", ".ply"};
  return names;
}

void write_state_file(const std::string& path, Frame& frame) {
  const std::string extension = lower_case(std::filesystem::path(path).extension().string());
  const auto& known = state_file_extensions();
  if (std::ranges::find(known, extension) == known.end())
    fail_input(code::file_type, "{}: found \"{}\", expected one of: .vtu, .obj, .ply", path, extension);
  require_folder_of(path);
  if (extension == ".vtu") {
    VtuFrames({.folder = {}, .facts = {}, .scene = {}}, frame.system()).write_bodies(frame, path);
    return;
  }
  const JoinedSurfaces joined = join(PictureScene(frame.system()).at(frame));
  if (extension == ".obj")
    write_obj(path, joined.vertices, layout_text(joined, frame.system()));
  else
    write_file_atomically(path, ply_text(joined));
}

}  // namespace sinew
