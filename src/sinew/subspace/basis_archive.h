// Partitions and bases in archives: computed once, read many times.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// As entries NAME/... of the archive.
void write_basis(ArchiveWriter& archive, const std::string& name, const HandleBasis& basis);
void write_partition(ArchiveWriter& archive, const std::string& name, const Partition& partition);

// Throw InputError naming the entry and what is wrong with it, unless it can be one for this many vertices and tets.
HandleBasis read_basis(const ArchiveReader& archive, const std::string& name, Index vertex_count);
Partition read_partition(const ArchiveReader& archive, const std::string& name, Index tet_count, Index vertex_count);

}  // namespace sinew
