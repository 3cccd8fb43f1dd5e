// Hierarchies in the user's cache folder, by the hash of everything that they are made from.
#pragma once

#include <optional>
#include <string>

#include "sinew/multilevel/hierarchy.h"
#include "sinew/partition/domain.h"

namespace sinew {

// Where the hierarchy of this domain and these settings is kept; empty when there is no cache folder. A changed mesh,
// stiffness, set of fixed vertices or setting gives another path.
std::string hierarchy_cache_path(const Domain& domain, const SolverSetup& solver);

// None where there is no such file; warns, and none, where it is damaged.
std::optional<Hierarchy> read_hierarchy(const std::string& path, const Domain& domain, const MultilevelSetup& setup);

// Warns where it cannot be written.
void write_hierarchy(const std::string& path, const Hierarchy& hierarchy);

}  // namespace sinew
