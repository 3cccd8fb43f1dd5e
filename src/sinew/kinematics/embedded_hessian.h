// H += W^T S W: turns a Hessian S by vertices and embedded followers, x_e = W x (model/embedding.h), into one by the
// vertices.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/core/index_set.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/embedding.h"

namespace sinew {

// The blocks (row <= column) off the diagonal of W^T S W in place of those of S.
void expand_pairs(const Embedding& embedding, std::vector<std::pair<Index, Index>>& pairs);

class EmbeddedHessian {
 public:
  // H += W^T S W, and S = 0. Only followers in `acting` have blocks that are not zero. Blocks of vertices
  // that H has no rows for are left out. The pattern of H holds all others.
  void add(const Embedding& embedding, const IndexSet& acting, SymBlockMatrix& S, SymBlockMatrix& H);

 private:
  // w_ia S_ij in row a of W^T S.
  struct Share {
    std::int64_t slot = 0;  // of S
    Index other = 0;        // j
    double weight = 0;      // w_ia
    bool transposed = false;
  };
  // The shares of row a are [begin_[a], begin_[a + 1]).
  std::vector<Share> shares_;
  std::vector<std::int64_t> begin_, next_;
};

}  // namespace sinew
