// Reads Vega's .veg meshes. Source: Vega FEM 3.0 user's manual, "Volumetric mesh format", and its reader.
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the contents of a .veg file: *VERTICES, *ELEMENTS (TET), *MATERIAL, *SET, *REGION and *INCLUDE (relative to
// the folder of the file, also from within an include). Vertices and elements count from 0 or from 1, as the first of
// each says. A set becomes a group of dimension 3 with its name and the ids 1, 2, ... in the order of the file; so does
// allElements if a region names it. The region of a tet is the id of the last set that contains the tet and gets a
// material by a *REGION, else 0. Materials are kept as given. The result is not validated. Throws InputError with file
// and line for malformed or truncated text, cubes, wrong counts, unknown sets and materials, and includes that are
// missing, recursive or repeated more than 8 times.
MeshFile parse_veg(const MeshSource& source);

}  // namespace sinew
