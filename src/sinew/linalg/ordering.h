// Fill-reducing elimination orders of a block pattern's graph (a vertex a block row).
#pragma once

#include <string>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

enum class OrderingMethod {
  automatic,          // nested dissection and minimum degree; the one with less work in the factorisation
  nested_dissection,  // METIS
  minimum_degree,     // AMD
};

struct Ordering {
  std::vector<Index> order;  // rows entries: order[k] is the block row eliminated k-th
  OrderingMethod method = OrderingMethod::automatic;
};

// Depends on the pattern alone (fixed seed). Throws SimulationError when METIS fails (out of memory).
Ordering fill_reducing_order(const BlockPattern& pattern, OrderingMethod method = OrderingMethod::automatic);

}  // namespace sinew
