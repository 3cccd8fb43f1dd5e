// Writes and reads cubature rules in caches.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/cubature/cubature.h"

namespace sinew {

// Writes the arrays `name`/tets and `name`/weights.
void write_cubature(ArchiveWriter& archive, const std::string& name, const Cubature& cubature);

// Throws InputError if the arrays are not a rule over a mesh of tet_count tets.
Cubature read_cubature(const ArchiveReader& archive, const std::string& name, Index tet_count);

}  // namespace sinew
