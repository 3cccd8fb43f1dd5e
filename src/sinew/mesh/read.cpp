#include "sinew/mesh/read.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sinew/core/error.h"
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

std::string known_extensions(bool tets_only) {
  std::string list;
  for (const Format& format : formats) {
    if (tets_only && !format.tets) continue;
    list += (list.empty() ? "" : ", ") + std::string(format.extension);
  }
  return list;
}

const Format& format_of(const std::string& path, bool tets) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const Format& format : formats) {
    if (extension == format.extension) return format;
  }
  fail_input(
      "cannot read '{}': unknown mesh format '{}', expected one of {}; convert the file, e.g. with Gmsh or meshio",
      path, extension, known_extensions(tets));
}

}  // namespace

TetMesh read_tet_mesh(const std::string& path) {
  const Format& format = format_of(path, true);
  if (!format.tets) {
    fail_input(
        "cannot read '{}' as a body: {} is a surface format, but a body needs tets ({}); fill the surface first (with "
        "sinew-mesh, Gmsh or TetGen), or use it as an obstacle",
        path, format.extension, known_extensions(true));
  }
  return format.tets(path);
}

TriMesh read_tri_mesh(const std::string& path) {
  return format_of(path, false).triangles(path);
}

}  // namespace sinew
