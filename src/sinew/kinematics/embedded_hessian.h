// H += W^T S W: converts a Hessian S by vertices and their followers, x_e = W x (model/embedding.h), to a Hessian by
// the vertices.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/core/index_set.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/embedding.h"

namespace sinew {

// Replaces the off-diagonal blocks (row <= column) of S in `pairs` by those of W^T S W.
void expand_pairs(const Embedding& embedding, std::vector<std::pair<Index, Index>>& pairs);

// A term of rank one by vertices and their followers, as one by the first `rows` vertices: u <- W^T u.
RankOne pulled_back(const RankOne& term, const Embedding& embedding, Index rows);

class EmbeddedHessian {
 public:
  // H += W^T S W, then S = 0. Only followers in `acting` may have nonzero blocks in S. Blocks of vertices for which H
  // has no rows are left out. The pattern of H must contain all other blocks.
  void add(const Embedding& embedding, const IndexSet& acting, SymBlockMatrix& S, SymBlockMatrix& H);

 private:
  // The contribution w_ia S_ij to row a of W^T S.
  struct Share {
    std::int64_t slot = 0;  // of S
    Index other = 0;        // j
    double weight = 0;      // w_ia
    bool transposed = false;
  };
  // Row a has the shares [begin_[a], begin_[a + 1]).
  std::vector<Share> shares_;
  std::vector<std::int64_t> begin_, next_;
};

}  // namespace sinew
