// Writes and reads substructures in files of the cache.
#pragma once

#include "sinew/core/archive.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

void write_substructures(ArchiveWriter& archive, const ReducedBasis& basis);

// Reads `count` substructures, and the substructure of each point of basis.cubature. Throws InputError if the archive
// is damaged.
void read_substructures(const ArchiveReader& archive, Index count, const System& system, ReducedBasis& basis);

}  // namespace sinew
