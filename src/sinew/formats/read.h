// Reading a mesh by the extension of its file. A new format is a new pair of files and one row of the table in
// read.cpp.
#pragma once

#include <span>
#include <string>

#include "sinew/formats/mesh_file.h"

namespace sinew {

struct MeshFormat {
  const char* extension;  // in small letters, with the dot
  const char* name;
  bool volumes;  // may hold tets, else surfaces only
  MeshFile (*parse)(const MeshSource& source);
};

std::span<const MeshFormat> mesh_formats();

// The contents of a mesh file, not validated. Throws InputError: no such file, unknown extension (the known ones are
// listed), or what the format's reader finds.
MeshFile read_mesh_file(const std::string& path);

// The tets of a mesh file, not validated; warns of higher-order tets, whose corners alone are kept. Throws InputError
// as above and for a surface (with what to do instead).
TetMesh read_tet_mesh(const std::string& path);

// The triangles of a surface file or, of a file that has tets, their boundary. Vertices of surface formats keep the
// order of the file; of the other formats only vertices that triangles use stay. Throws InputError as above.
TriMesh read_tri_mesh(const std::string& path);

// The layout of an .obj file (formats/obj.h); empty for other formats. Throws InputError as above.
std::string read_layout(const std::string& path);

// The triangles of a mesh from read_mesh_file(), like read_tri_mesh(). The extension of `path` tells the format, and
// errors name it.
TriMesh surface_of(const MeshFile& file, const std::string& path);

}  // namespace sinew
