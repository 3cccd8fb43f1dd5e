// Stores hierarchies in the user's cache folder. The file's name has a hash of everything that the hierarchy depends
// on.
#pragma once

#include <optional>
#include <string>

#include "sinew/multilevel/hierarchy.h"
#include "sinew/partition/domain.h"

namespace sinew {

// Returns the file for the hierarchy of this domain and these settings; empty without a cache folder. A changed mesh,
// stiffness, set of fixed vertices or setting gives another path.
std::string hierarchy_cache_path(const Domain& domain, const SolverSetup& solver);

// Returns none if there is no such file, or if it is damaged; the latter also gives a warning.
std::optional<Hierarchy> read_hierarchy(const std::string& path, const Domain& domain, const MultilevelSetup& setup);

// Gives a warning if the file cannot be written.
void write_hierarchy(const std::string& path, const Hierarchy& hierarchy);

}  // namespace sinew
