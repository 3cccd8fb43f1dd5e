// Assigns a vertex that several substructures share to one of them.
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

// Returns, for each of the dynamic_count vertices, the first substructure that contains it.
inline std::vector<Index> substructure_of_vertices(const System& system, const std::vector<Substructure>& parts) {
  std::vector<Index> owner(system.dynamic_count, -1);
  for (std::size_t p = parts.size(); p-- > 0;)
    for (const Index v : parts[p].vertices) owner[v] = static_cast<Index>(p);
  return owner;
}

}  // namespace sinew
