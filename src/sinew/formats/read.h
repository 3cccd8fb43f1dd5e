// Reads a mesh by the extension of its file. To add a format, write a pair of files, and a row in the table of
// read.cpp.
#pragma once

#include <span>
#include <string>

#include "sinew/formats/mesh_file.h"

namespace sinew {

struct MeshFormat {
  const char* extension;  // lower case, with the dot
  const char* name;
  bool volumes;  // may contain tets; otherwise only surfaces
  MeshFile (*parse)(const MeshSource& source);
};

std::span<const MeshFormat> mesh_formats();

// Whether the places of the mid-nodes of tets of second order are wanted (TetMesh::mid_nodes). They are kept in any
// case; a warning says so where they will not be used.
enum class MidNodes { dropped, kept };

// Returns the contents of a mesh file, not validated. Warns of what was not read of it. Throws InputError if there is
// no such file, if the extension is unknown (the message lists the known ones), or if the format's reader finds an
// error.
MeshFile read_mesh_file(const std::string& path, MidNodes mid_nodes = MidNodes::dropped);

// Returns the tets of a mesh file, not validated. Warns of higher-order tets, of which only the corners are used.
// Throws InputError as above, and for a surface (with advice).
TetMesh read_tet_mesh(const std::string& path, MidNodes mid_nodes = MidNodes::dropped);

// Returns the triangles of a surface file or, for a file with tets, their boundary. Vertices of surface formats keep
// the order of the file. For other formats only vertices of triangles are kept. Throws InputError as above.
TriMesh read_tri_mesh(const std::string& path);

// Returns the layout of an .obj file (formats/obj.h); empty for other formats. Throws InputError as above.
std::string read_layout(const std::string& path);

// Returns the triangles of a mesh from read_mesh_file(), like read_tri_mesh(). path: its extension tells the format,
// and errors name it.
TriMesh surface_of(const MeshFile& file, const std::string& path);

}  // namespace sinew
