// Reads surfaces in OFF, the object file format of Geomview, as text.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns vertices and faces of an .off file: OFF, COFF, NOFF and STOFF (also combined), or no keyword. Counts may be
// on the line of the keyword or on the next line; comments may be anywhere. Colours, normals and texture coordinates
// are ignored. Polygons are cut into fans. Vertices keep the order of the file. Throws InputError with file and line,
// also for binary and four-dimensional files.
MeshFile parse_off(const MeshSource& source);

}  // namespace sinew
