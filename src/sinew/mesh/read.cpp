#include "sinew/mesh/read.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sinew/core/error.h"
#include "sinew/mesh/byte_reader.h"
#include "sinew/mesh/gmsh.h"
#include "sinew/mesh/obj.h"
#include "sinew/mesh/ply.h"
#include "sinew/mesh/stl.h"
#include "sinew/mesh/vtu.h"

namespace sinew {
namespace {

struct Format {
  const char* extension;
  TetMesh (*tets)(const std::string& path);  // null for surface formats
  TriMesh (*triangles)(const std::string& path);
};
constexpr Format formats[] = {{".msh", read_gmsh, read_gmsh_surface},
                              {".vtu", read_vtu, read_vtu_surface},
                              {".obj", nullptr, read_obj},
                              {".stl", nullptr, read_stl},
                              {".ply", nullptr, read_ply}};

// Of the formats that hold tets, or of the others.
std::string known_extensions(bool tets) {
  std::string list;
  for (const Format& format : formats) {
    if (tets != (format.tets != nullptr)) continue;
    list += (list.empty() ? "" : ", ") + std::string(format.extension);
  }
  return list;
}

// Null for an extension that is not in the table.
const Format* find_format(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const Format& format : formats) {
    if (extension == format.extension) return &format;
  }
  return nullptr;
}

const Format& format_of(const std::string& path) {
  require_file(path);
  if (const Format* format = find_format(path)) return *format;
  const std::string extension = std::filesystem::path(path).extension().string();
  fail_input(
      "cannot read '{}': {}, expected {} for tets or {} for surfaces; convert the file, e.g. with Gmsh or meshio", path,
      extension.empty() ? "its name has no extension to tell the format" : "unknown mesh format " + extension,
      known_extensions(true), known_extensions(false));
}

}  // namespace

TetMesh read_tet_mesh(const std::string& path) {
  const Format& format = format_of(path);
  if (!format.tets) {
    fail_input(
        "cannot read '{}' as a body: {} is a surface format, but a body needs tets ({}); fill the surface first (with "
        "sinew-mesh, Gmsh or TetGen), or use it as an obstacle",
        path, format.extension, known_extensions(true));
  }
  return format.tets(path);
}

bool is_surface_format(const std::string& path) {
  const Format* format = find_format(path);
  return format && !format->tets;
}

TriMesh read_tri_mesh(const std::string& path) {
  return format_of(path).triangles(path);
}

}  // namespace sinew
