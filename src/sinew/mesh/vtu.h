// Reader of VTK XML unstructured grids (.vtu): ASCII, inline base64 and appended base64 or raw data, zlib-compressed or
// not, UInt32 and UInt64 headers, either byte order, several pieces. Source: VTK file formats, "XML file formats".
#pragma once

#include <string>

#include "sinew/mesh/tet_mesh.h"

namespace sinew {

// The tets of a .vtu file. Points keep the order of the file (pieces one after the other). Cell arrays
// become cell_fields. One of a whole number for each tet also gives the regions, the first that the file has of: region,
// regions, RegionId(s), MaterialId(s), Material(s), gmsh:physical, CellEntityIds (in any case, with or without '_', '-',
// ':' and blanks). Points, lines and flat cells
// are ignored; of second- and higher-order tets the corners are kept (with a warning). The result is not validated.
// Throws InputError with the line: malformed or truncated text, other volume cells, an unknown compressor, no tets.
TetMesh read_vtu(const std::string& path);

// The boundary of the file's tets or, where it has none, its triangles.
TriMesh read_vtu_surface(const std::string& path);

}  // namespace sinew
