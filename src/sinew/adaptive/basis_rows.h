// The rows of a basis at some of the vertices, for products that touch a part of the mesh only.
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
  std::vector<char> fixed;      // 3 a vertex
  std::unique_ptr<ModeTransfer> transfer;

  // basis, rest and fixed: of all vertices, as EnrichedSystem has them.
  void take(const ModeBasis& from, const Points& all_rest, std::span<const char> all_fixed, std::vector<Index> at);
};

}  // namespace sinew
