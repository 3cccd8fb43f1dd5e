#include "sinew/formats/write.h"

#include <algorithm>
#include <filesystem>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/formats/byte_reader.h"
#include "sinew/formats/mid_nodes.h"
#include "sinew/formats/obj.h"
#include "sinew/formats/write_bdf.h"
#include "sinew/formats/write_inp.h"
#include "sinew/formats/write_msh.h"
#include "sinew/formats/write_unv.h"
#include "sinew/formats/write_vtu.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

struct Writer {
  const char* extension;
  bool volumes;  // else of surfaces only
  bool text, binary;
  WrittenMesh (*write)(const MeshFile& mesh, MeshEncoding encoding);
};

// What a surface format leaves of a mesh is its surface.
WrittenMesh obj_of(const MeshFile& mesh, MeshEncoding) {
  const TetMesh& volume = mesh.volume;
  WrittenMesh written;
  written.bytes = obj_text(volume.tets.cols() > 0 ? compacted(volume.vertices, boundary_triangles(volume.tets))
                                                  : TriMesh{volume.vertices, mesh.triangles});
  for (const ElementGroup& group : volume.groups) written.drop(group);
  for (const auto& [name, values] : volume.cell_fields) written.dropped.push_back("the cell array " + name);
  const auto other = [&](Index region) { return region != volume.regions.front(); };
  if (written.dropped.empty() && std::ranges::any_of(volume.regions, other)) written.dropped.push_back("the regions");
  return written;
}

constexpr Writer writers[] = {{".msh", true, true, true, msh_bytes},  {".vtu", true, true, true, vtu_bytes},
                              {".inp", true, true, false, inp_bytes}, {".unv", true, true, false, unv_bytes},
                              {".bdf", true, true, false, bdf_bytes}, {".nas", true, true, false, bdf_bytes},
                              {".obj", false, true, false, obj_of}};

std::string extension_of(const std::string& path) {
  return lower_case(std::filesystem::path(path).extension().string());
}

const Writer* find_writer(const std::string& path) {
  const auto* const writer = std::ranges::find(writers, extension_of(path), &Writer::extension);
  return writer == std::end(writers) ? nullptr : writer;
}

[[noreturn]] void refuse_extension(const std::string& path, bool tets) {
  const std::string extension = extension_of(path);
  const Writer* writer = find_writer(path);
  std::string known;
  for (const Writer& w : writers) {
    if (w.volumes || !tets) known += (known.empty() ? "" : ", ") + std::string(w.extension);
  }
  fail_input(code::file_type, "cannot write '{}': {}, expected {}", path,
             extension.empty() ? "its name has no extension to tell the format"
             : writer          ? extension + " files hold surfaces only, but the result is tets"
                               : extension + " is not a mesh format that sinew writes",
             known);
}

const Writer& writer_of(const std::string& path) {
  const Writer* writer = find_writer(path);
  if (!writer) refuse_extension(path, false);
  return *writer;
}

void warn_dropped(const std::string& path, const Writer& writer, const WrittenMesh& written) {
  if (written.dropped.empty()) return;
  constexpr std::size_t listed = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(listed, written.dropped.size()); ++i)
    text += (i ? ", " : "") + written.dropped[i];
  if (written.dropped.size() > listed) text += fmt::format(" and {} more", written.dropped.size() - listed);
  log::warning("{}: dropped, since {} files cannot hold it: {}", path, writer.extension, text);
}

}  // namespace

void WrittenMesh::drop(const ElementGroup& group) {
  const bool named = !group.name.empty();
  dropped.push_back(
      fmt::format("the group {}{}:{}{}", named ? group.name + " (" : "", group.dim, group.id, named ? ")" : ""));
}

void require_mesh_writer(const std::string& path, MeshEncoding encoding) {
  const Writer& writer = writer_of(path);
  if ((encoding == MeshEncoding::binary && !writer.binary) || (encoding == MeshEncoding::ascii && !writer.text)) {
    fail_input(code::file_type, "cannot write '{}': sinew writes {} files as {} only", path, writer.extension,
               writer.text ? "text" : "binary");
  }
  require_folder_of(path);
}

void require_tet_writer(const std::string& path) {
  const Writer* writer = find_writer(path);
  if (!writer || !writer->volumes) refuse_extension(path, true);
  require_folder_of(path);
}

bool writes_surfaces_only(const std::string& path) {
  return !writer_of(path).volumes;
}

void write_mesh(const std::string& path, const MeshFile& mesh, MeshEncoding encoding) {
  require_mesh_writer(path, encoding);
  if (mesh.volume.tets.cols() == 0 && mesh.triangles.cols() == 0)
    fail_input(code::mesh_empty, "cannot write '{}': the mesh has neither tets nor triangles", path);
  const Writer& writer = writer_of(path);
  WrittenMesh written = writer.write(mesh, encoding);
  if (!mesh.volume.mid_nodes.empty() && (!writer.volumes || ten_node_tets(mesh.volume).cols() == 0))
    written.dropped.push_back("the nodes on edges");
  for (const FileMaterial& material : mesh.materials) written.dropped.push_back("the material " + material.name);
  write_file_atomically(path, written.bytes);
  warn_dropped(path, writer, written);
}

void write_mesh(const std::string& path, const TetMesh& mesh, MeshEncoding encoding) {
  MeshFile file{mesh, Triangles(3, 0), {}, {}, {}, {}};
  file.volume.mid_nodes.clear();
  write_mesh(path, file, encoding);
}

}  // namespace sinew
