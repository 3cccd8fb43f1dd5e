// Reads the meshes of Abaqus and CalculiX input files (.inp). Source: Abaqus Keywords Reference Guide; G. Dhondt,
// "CalculiX CrunchiX User's Manual".
#pragma once

#include "sinew/formats/mesh_file.h"

namespace sinew {

// Returns the mesh of an input file: nodes, tets, and triangles and quadrangles of shells (cut in two). Sets and
// surfaces become groups with their names and the ids 1, 2, ... of each dimension. Materials are kept, and the names of
// keywords that are not read.
//
// Instances are placed one after the other, in the order of the file. Sets of parts are named "INSTANCE.SET" if there
// are several instances or if the assembly has a set of that name. A set of nodes that are those of the element set of
// the same name is left out. Sets that Abaqus/CAE made for itself are groups only if they have a section.
//
// The region of a tet is the id of the last set with a *SOLID SECTION that contains it. In files without sections, it
// is the id of the ELSET of its *ELEMENT, else 0. The result is not validated. Throws InputError with file and line for
// malformed text, volume elements other than tets, generated nodes or elements, and unknown sets, parts and nodes.
MeshFile parse_abaqus(const MeshSource& source);

}  // namespace sinew
