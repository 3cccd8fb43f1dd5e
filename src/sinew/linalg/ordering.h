// Fill-reducing elimination orders of the graph of a block pattern, which has one vertex for each block row.
#pragma once

#include <string>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

enum class OrderingMethod {
  automatic,          // nested dissection or minimum degree, whichever needs less work to factor
  nested_dissection,  // METIS
  minimum_degree,     // AMD
};

struct Ordering {
  std::vector<Index> order;  // rows entries: order[k] is the block row eliminated k-th
  OrderingMethod method = OrderingMethod::automatic;
};

// Depends only on the pattern (fixed seed). Throws SimulationError if METIS fails (out of memory).
Ordering fill_reducing_order(const BlockPattern& pattern, OrderingMethod method = OrderingMethod::automatic);

}  // namespace sinew
