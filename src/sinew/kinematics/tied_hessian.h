// H <- P^T H P in place: converts a Hessian by all vertices to one by the vertices that are not tied, x = P q
// (model/tie.h).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/model/embedding.h"

namespace sinew {

// Appends the off-diagonal blocks (row <= column) of P^T H P that H does not have.
void add_tied_pairs(const Embedding& ties, std::vector<std::pair<Index, Index>>& pairs);

class TiedHessian {
 public:
  // Sets rows and columns of tied vertices to zero. The pattern of H must contain all blocks of P^T H P. The sums are
  // planned once for each pattern.
  void condense(const std::shared_ptr<const Embedding>& ties, SymBlockMatrix& H);

 private:
  struct Share {
    std::int64_t to = 0, from = 0;  // slots
    double weight = 0;              // p_ia p_jb
    bool transposed = false;
  };
  void plan(const SymBlockMatrix& H);

  std::shared_ptr<const Embedding> ties_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Share> shares_;
  std::vector<std::int64_t> begin_;  // by target slot: its first share
  std::vector<std::int64_t> tied_;   // slots in the rows and columns of tied vertices
};

}  // namespace sinew
