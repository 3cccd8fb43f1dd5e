// A subset of a domain's tets with its own vertex numbers.
#pragma once

#include <span>
#include <vector>

#include "sinew/partition/domain.h"

namespace sinew {

struct Submesh {
  std::vector<Index> tet;     // m: numbers in the domain, in the given order
  std::vector<Index> vertex;  // n: numbers in the domain, ascending
  Points vertices;            // 3 x n, rest [m]
  Tets tets;                  // 4 x m, in the submesh's vertex numbers

  Index vertex_count() const { return static_cast<Index>(vertex.size()); }
  Index tet_count() const { return static_cast<Index>(tet.size()); }
};

// Extracts k tets in O(k log k), independent of the size of the domain.
Submesh extract(const Domain& domain, std::span<const Index> tets);

}  // namespace sinew
