// Writes a mesh by the extension of its file. To add a format, write a pair of files, and a row in the table of
// write.cpp.
#pragma once

#include <string>
#include <vector>

#include "sinew/formats/mesh_file.h"

namespace sinew {

// `automatic`: base64 for .vtu, text for all others.
enum class MeshEncoding { automatic, ascii, binary };

// The bytes of a file, and what the format cannot store of the mesh ("the group top (2:3)"), for a warning.
struct WrittenMesh {
  std::string bytes;
  std::vector<std::string> dropped;

  void drop(const ElementGroup& group);
};

// Writes a volume, or a surface if there are no tets, with all digits (.bdf: 16 characters). A MeshFile with a mid-node
// on each edge is written with ten-node tets, a TetMesh with four-node ones. Formats for surfaces get the boundary of a
// volume. Warns of parts that the format cannot store. The file is written whole or not at all. Throws InputError for
// an unknown extension (listing the known ones), a folder that does not exist, a mesh without tets and triangles, and
// an encoding that the format lacks. Throws SimulationError if writing fails.
void write_mesh(const std::string& path, const MeshFile& mesh, MeshEncoding encoding = MeshEncoding::automatic);
void write_mesh(const std::string& path, const TetMesh& mesh, MeshEncoding encoding = MeshEncoding::automatic);

// Throws InputError unless a mesh can be written to this path: extension and encoding are known and the folder exists.
// Call it before long work whose result goes there.
void require_mesh_writer(const std::string& path, MeshEncoding encoding = MeshEncoding::automatic);

// As above; throws also if the format cannot store tets, naming those that can.
void require_tet_writer(const std::string& path);

// Whether files of that name can store only surfaces.
bool writes_surfaces_only(const std::string& path);

}  // namespace sinew
