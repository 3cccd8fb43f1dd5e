// H <- P^T H P in place: a Hessian by all vertices becomes that by those that are not tied, x = P q (model/tie.h).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/model/embedding.h"

namespace sinew {

// Adds the blocks (row <= column) off the diagonal that P^T H P has beside those of H.
void add_tied_pairs(const Embedding& ties, std::vector<std::pair<Index, Index>>& pairs);

class TiedHessian {
 public:
  // Rows and columns of tied vertices end up zero. The pattern of H holds all blocks of P^T H P. Which block goes where
  // is planned once for a pattern.
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
  std::vector<std::int64_t> begin_;  // of the shares of each slot that gets some
  std::vector<std::int64_t> tied_;   // slots in the row or column of a tied vertex
};

}  // namespace sinew
