// Takes the rows of a basis at some vertices, for products that touch only a part of the mesh.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/subspace/mode_basis.h"

namespace sinew {

struct BasisRows {
  std::vector<Index> vertices;  // ascending
  ModeBasis basis;              // its dense columns are zero at fixed coordinates
  Points rest;                  // 3 x vertices
  std::vector<char> fixed;      // 3 flags for each vertex
  std::unique_ptr<ModeTransfer> transfer;

  // Takes the rows `at` (ascending). The other arguments are those of all vertices, as in EnrichedSystem.
  void take(const ModeBasis& from, const Points& all_rest, std::span<const char> all_fixed, std::vector<Index> at);
};

}  // namespace sinew
