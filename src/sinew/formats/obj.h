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

// The statements of an .obj file other than vertex positions: polygons, texture coordinates, names of objects, groups,
// materials and smoothing groups. They name vertices by numbers from 1. Normals are left out, because the surface
// moves. `folder` of the file is put in front of the names of material libraries.
std::string obj_layout(const MeshSource& source, const std::string& folder);

// A layout with reversed faces.
std::string reversed_layout(const std::string& layout);

// The text of an .obj file with these vertices and a layout.
std::string obj_text(const Points& vertices, const std::string& layout);

// Writes obj_text() to a file, which appears whole or not at all. Throws SimulationError when the disk refuses.
void write_obj(const std::string& path, const TriMesh& mesh);
void write_obj(const std::string& path, const Points& vertices, const std::string& layout);

}  // namespace sinew
