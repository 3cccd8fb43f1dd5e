// Hierarchies in the user's cache folder, by the hash of everything that they are made from.
#pragma once

#include <optional>
#include <string>

#include "sinew/multilevel/hierarchy.h"
#include "sinew/partition/domain.h"

namespace sinew {

// The file of the hierarchy of this domain and these settings; empty without a cache folder. A changed mesh, stiffness,
// set of fixed vertices or setting gives another path.
std::string hierarchy_cache_path(const Domain& domain, const SolverSetup& solver);

// None if there is no such file, or if it is damaged, which also gives a warning.
std::optional<Hierarchy> read_hierarchy(const std::string& path, const Domain& domain, const MultilevelSetup& setup);

// Warns if the file cannot be written.
void write_hierarchy(const std::string& path, const Hierarchy& hierarchy);

}  // namespace sinew
