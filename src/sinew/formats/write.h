// Writing a mesh by the extension of its file. A new format is a new pair of files and one row of the table in
// write.cpp.
#pragma once

#include <string>
#include <vector>

#include "sinew/formats/mesh_file.h"

namespace sinew {

// `automatic`: text for .msh and .obj, base64 in .vtu.
enum class MeshEncoding { automatic, ascii, binary };

// The bytes of a file, and what of the mesh the format cannot keep ("the group top (2:3)"), for a warning.
struct WrittenMesh {
  std::string bytes;
  std::vector<std::string> dropped;

  void drop(const ElementGroup& group);
};

// Writes a volume, or a surface where there are no tets, with all digits. A format for surfaces gets the boundary of a
// volume. Warns of what the format cannot keep. The file appears whole or not at all. Throws InputError: unknown
// extension (the known ones are listed), no such folder, neither tets nor triangles, an encoding that the format lacks;
// SimulationError when the disk refuses.
void write_mesh(const std::string& path, const MeshFile& mesh, MeshEncoding encoding = MeshEncoding::automatic);
void write_mesh(const std::string& path, const TetMesh& mesh, MeshEncoding encoding = MeshEncoding::automatic);

// Throws InputError unless a mesh could be written there: extension and encoding are known and the folder exists. To be
// asked before long work whose result goes there.
void require_mesh_writer(const std::string& path, MeshEncoding encoding = MeshEncoding::automatic);

// Throws also if the format holds no tets, and names those that do.
void require_tet_writer(const std::string& path);

// Whether files of that name hold surfaces only.
bool writes_surfaces_only(const std::string& path);

}  // namespace sinew
