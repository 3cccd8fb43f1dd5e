#include "sinew/formats/read.h"

#include <filesystem>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/core/log.h"
#include "sinew/formats/abaqus.h"
#include "sinew/formats/byte_reader.h"
#include "sinew/formats/gmsh.h"
#include "sinew/formats/medit.h"
#include "sinew/formats/mid_nodes.h"
#include "sinew/formats/nastran.h"
#include "sinew/formats/obj.h"
#include "sinew/formats/off.h"
#include "sinew/formats/ply.h"
#include "sinew/formats/stl.h"
#include "sinew/formats/tetgen.h"
#include "sinew/formats/unv.h"
#include "sinew/formats/veg.h"
#include "sinew/formats/vtk_legacy.h"
#include "sinew/formats/vtu.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr MeshFormat formats[] = {{".msh", "Gmsh", true, parse_gmsh},
                                  {".mesh", "Medit", true, parse_medit},
                                  {".meshb", "Medit binary", true, parse_medit},
                                  {".vtu", "VTK XML unstructured grid", true, parse_vtu},
                                  {".vtk", "VTK legacy", true, parse_vtk_legacy},
                                  {".node", "TetGen", true, parse_tetgen},
                                  {".ele", "TetGen", true, parse_tetgen},
                                  {".veg", "Vega", true, parse_veg},
                                  {".inp", "Abaqus", true, parse_abaqus},
                                  {".unv", "I-deas universal", true, parse_unv},
                                  {".bdf", "Nastran", true, parse_nastran},
                                  {".nas", "Nastran", true, parse_nastran},
                                  {".obj", "Wavefront", false, parse_obj},
                                  {".stl", "STL", false, parse_stl},
                                  {".ply", "Stanford PLY", false, parse_ply},
                                  {".off", "OFF", false, parse_off}};

// Of the formats that hold tets, or of the others.
std::string known_extensions(bool volumes) {
  std::string list;
  for (const MeshFormat& format : formats) {
    if (volumes != format.volumes) continue;
    list += (list.empty() ? "" : ", ") + std::string(format.extension);
  }
  return list;
}

const MeshFormat& format_of(const std::string& path) {
  const std::string extension = lower_case(std::filesystem::path(path).extension().string());
  for (const MeshFormat& format : formats) {
    if (extension == format.extension) return format;
  }
  fail_input(
      code::file_type,
      "cannot read '{}': {}, expected {} for tets or {} for surfaces; convert the file, e.g. with Gmsh or meshio", path,
      extension.empty() ? "its name has no extension to tell the format" : "unknown mesh format " + extension,
      known_extensions(true), known_extensions(false));
}

// Some editors put a byte order mark before the text.
std::string read_without_mark(const MeshFormat& format, const std::string& path) {
  std::string bytes = read_whole_file(path);
  if (format.parse != parse_stl && bytes.starts_with("\xef\xbb\xbf"))
    bytes.erase(0, 3);  // a binary header may be anything
  return bytes;
}

MeshFile parse_file(const MeshFormat& format, const std::string& path) {
  const std::string bytes = read_without_mark(format, path);
  MeshSource source{bytes, path};
  source.other = [&](const std::string& relative_path) -> std::optional<std::string> {
    const std::filesystem::path other = std::filesystem::path(path).parent_path() / relative_path;
    std::error_code code;
    if (!std::filesystem::is_regular_file(other, code)) return std::nullopt;  // nor one without an end
    return read_without_mark(format, other.string());
  };
  return format.parse(source);
}

// "*BOUNDARY (3), *CLOAD (1)"
std::string counted_list(const std::map<std::string, std::int64_t>& counts) {
  constexpr std::size_t listed = 20;
  std::string text;
  std::size_t done = 0;
  for (const auto& [name, count] : counts) {
    if (done++ == listed) return text + fmt::format(" and {} more", counts.size() - listed);
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, count);
  }
  return text;
}

}  // namespace

std::span<const MeshFormat> mesh_formats() {
  return formats;
}

MeshFile read_mesh_file(const std::string& path, MidNodes mid_nodes) {
  require_file(path);
  MeshFile file = parse_file(format_of(path), path);
  const bool wanted = mid_nodes == MidNodes::kept && !file.second_order.empty();
  const Index dropped = drop_mid_nodes(file);
  for (const auto& [kind, count] : file.higher_order) {
    if (wanted && (kind == "second-order tets" || kind == "second-order triangles")) continue;
    log::warning("{}: {} {} were read by their corners only; export the mesh with order 1 to silence this", path, count,
                 kind);
  }
  if (!file.unread.empty()) log::warning("{}: not read: {}", path, counted_list(file.unread));
  for (const std::string& note : file.notes) log::warning("{}: {}", path, note);
  if (dropped > 0 && !wanted) {
    log::warning("{}: {} nodes between corners were left out; vertices are numbered without them, 0 to {}", path,
                 dropped, file.volume.vertex_count() - 1);
  }
  return file;
}

std::string read_layout(const std::string& path) {
  require_file(path);
  const MeshFormat& format = format_of(path);
  if (format.parse != parse_obj) return {};
  const std::string bytes = read_without_mark(format, path);
  return obj_layout({bytes, path}, std::filesystem::path(path).parent_path().string());
}

TetMesh read_tet_mesh(const std::string& path, MidNodes mid_nodes) {
  require_file(path);
  const MeshFormat& format = format_of(path);
  if (!format.volumes) {
    fail_input(
        code::mesh_surface,
        "cannot read '{}' as a body: {} is a surface format, but a body needs tets ({}); fill the surface first (with "
        "sinew-mesh, Gmsh or TetGen), or use it as an obstacle",
        path, format.extension, known_extensions(true));
  }
  MeshFile file = read_mesh_file(path, mid_nodes);
  if (file.volume.tets.cols() > 0) return std::move(file.volume);
  if (file.triangles.cols() == 0) fail_input(code::mesh_empty, "{}: found no tets, expected a volume mesh", path);
  fail_input(
      code::mesh_surface,
      "{}: found {} triangles and no tets: this is a surface, but a body needs tets; fill it first (with sinew-mesh, "
      "Gmsh or TetGen), or use it as an obstacle",
      path, file.triangles.cols());
}

TriMesh read_tri_mesh(const std::string& path) {
  return surface_of(read_mesh_file(path), path);
}

TriMesh surface_of(const MeshFile& file, const std::string& path) {
  const Points& vertices = file.volume.vertices;
  if (file.volume.tets.cols() > 0) return compacted(vertices, boundary_triangles(file.volume.tets));
  if (file.triangles.cols() == 0) fail_input(code::mesh_empty, "{}: found neither triangles nor tets", path);
  if (!format_of(path).volumes) return {vertices, file.triangles};
  return compacted(vertices, file.triangles);
}

}  // namespace sinew
