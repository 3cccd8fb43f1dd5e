// Wavefront .obj surfaces.
#pragma once

#include <string>

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Vertices and faces of an .obj file; polygons are cut into fans, texture and normal indices and all other statements
// are ignored. Vertices keep the order of the file. Throws InputError with file and line.
MeshFile parse_obj(const MeshSource& source);

// Vertices and triangles with the fewest digits that read back to the same doubles.
std::string obj_text(const TriMesh& mesh);

// Writes that text. The file appears whole or
// not at all. Throws SimulationError when the disk refuses.
void write_obj(const std::string& path, const TriMesh& mesh);

}  // namespace sinew
