// Reads VTK's legacy files (.vtk), text and binary (big-endian), versions 1 to 5.
// Source: VTK file formats, "Simple legacy formats".
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the contents of a legacy file of type UNSTRUCTURED_GRID or POLYDATA (a surface). Points keep the order of the
// file. Cell arrays (scalars, vectors, tensors, fields) become cell_fields of the tets; one may give the regions (see
// vtk_cells.h). Points, lines and point data are ignored. Polygons are cut into fans, strips into triangles.
// Higher-order tets keep only their corners. The result is not validated. Throws InputError with line or byte for
// malformed or truncated data, other types of data set, and volume cells other than tets.
MeshFile parse_vtk_legacy(const MeshSource& source);

}  // namespace sinew
