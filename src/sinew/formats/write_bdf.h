// Writes meshes as Nastran bulk data (.bdf, .nas).
#pragma once

#include "sinew/formats/write.h"

namespace sinew {

// Returns a file with GRID and CTETRA, of ten nodes if all edges have mid-nodes. Each region has a PSOLID. Triangles of
// groups and of surfaces are CTRIA3. Groups of vertices and other groups of tets are SET3. Names are comments of
// HyperMesh. parse_nastran() of the bytes restores tets, regions above 0, and groups; region 0 and repeated numbers of
// groups get others. Coordinates have 16 characters: 10 to 15 digits. Dropped: cell arrays.
WrittenMesh bdf_bytes(const MeshFile& mesh, MeshEncoding encoding);

// Returns a number as Nastran reads it, with as many digits as fit into 16 characters.
std::string nastran_real(double x);

}  // namespace sinew
