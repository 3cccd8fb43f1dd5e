// Which of several substructures a vertex is looked at in.
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

// The first that has it, dynamic_count.
inline std::vector<Index> substructure_of_vertices(const System& system, const std::vector<Substructure>& parts) {
  std::vector<Index> owner(system.dynamic_count, -1);
  for (std::size_t p = parts.size(); p-- > 0;)
    for (const Index v : parts[p].vertices) owner[v] = static_cast<Index>(p);
  return owner;
}

}  // namespace sinew
