// Writes and reads partitions and bases in archives, because they are computed once and read many times.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Writes the entries NAME/... of the archive.
void write_basis(ArchiveWriter& archive, const std::string& name, const HandleBasis& basis);
void write_partition(ArchiveWriter& archive, const std::string& name, const Partition& partition);

// Throws InputError naming the entry and its fault, unless it can be a basis for this number of vertices and tets.
HandleBasis read_basis(const ArchiveReader& archive, const std::string& name, Index vertex_count);
Partition read_partition(const ArchiveReader& archive, const std::string& name, Index tet_count, Index vertex_count);

}  // namespace sinew
