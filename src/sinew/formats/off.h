// Surfaces in OFF, the object file format of Geomview, as text.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Vertices and faces of an .off file: OFF, COFF, NOFF and STOFF (also combined), counts on the line of the keyword or
// on the next, comments anywhere, the keyword left out; colours, normals and texture coordinates are ignored, polygons
// are cut into fans. Vertices keep the order of the file. Throws InputError with file and line; binary and
// four-dimensional files are refused.
MeshFile parse_off(const MeshSource& source);

}  // namespace sinew
