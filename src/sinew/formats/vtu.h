// Reads VTK XML unstructured grids (.vtu): ASCII, inline base64, and appended base64 or raw data, zlib-compressed or
// not, UInt32 and UInt64 headers, either byte order, several pieces. Source: VTK file formats, "XML file formats".
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the contents of a .vtu file. Points keep the order of the file (pieces one after another). Cell arrays become
// cell_fields; one may give the regions (see vtk_cells.h). Points and lines are ignored. Polygons are cut into fans.
// Higher-order tets keep only their corners. The result is not validated. Throws InputError with the line for malformed
// or truncated text, volume cells other than tets, and an unknown compressor. Also for arrays that decode to over 256
// MB + 64 x the file's size.
MeshFile parse_vtu(const MeshSource& source);

}  // namespace sinew
