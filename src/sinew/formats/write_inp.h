// Writes meshes as Abaqus and CalculiX input files (.inp).
#pragma once

#include "sinew/formats/write.h"

namespace sinew {

// Returns a file with *NODE, *ELEMENT (C3D4, or C3D10 if all edges have mid-nodes; S3 for surfaces), regions as ELSET
// of the elements, and groups as *NSET, *ELSET and *SURFACE. Comments keep the ids of groups. parse_abaqus() of the
// bytes restores vertices, tets, regions and groups, except for the order of corners in triangles. Coordinates are
// exact unless they need more than 20 characters and are beyond 1e-60 or 1e17. Dropped: cell arrays, and triangles of
// groups that are no faces of tets.
WrittenMesh inp_bytes(const MeshFile& mesh, MeshEncoding encoding);

}  // namespace sinew
