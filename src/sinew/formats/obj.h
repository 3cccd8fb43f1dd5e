// Reads and writes Wavefront .obj surfaces.
#pragma once

#include <string>

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns vertices and faces of an .obj file. Polygons are cut into fans. Texture and normal indices, and all other
// statements, are ignored. Vertices keep the order of the file. Throws InputError with file and line.
MeshFile parse_obj(const MeshSource& source);

// Returns vertices and triangles as text, with the fewest digits that give the same doubles.
std::string obj_text(const TriMesh& mesh);

// Returns the layout of an .obj file: its statements other than vertex positions, such as polygons, texture
// coordinates, names of objects, groups and materials, and smoothing groups. They refer to vertices by numbers from 1.
// Normals are left out, because the surface moves. folder: put in front of the names of material libraries.
std::string obj_layout(const MeshSource& source, const std::string& folder);

// Returns a layout with reversed faces.
std::string reversed_layout(const std::string& layout);

// Returns the text of an .obj file with these vertices and a layout.
std::string obj_text(const Points& vertices, const std::string& layout);

// Writes obj_text() to a file, whole or not at all. Throws SimulationError if writing fails.
void write_obj(const std::string& path, const TriMesh& mesh);
void write_obj(const std::string& path, const Points& vertices, const std::string& layout);

}  // namespace sinew
