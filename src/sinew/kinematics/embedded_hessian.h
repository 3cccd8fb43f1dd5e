// H += W^T S W: a Hessian S by vertices and by what follows them, x_e = W x (model/embedding.h), as one by the
// vertices.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/model/embedding.h"

namespace sinew {

// The blocks (row <= column) off the diagonal of W^T S W in place of those of S.
void expand_pairs(const Embedding& embedding, std::vector<std::pair<Index, Index>>& pairs);

class EmbeddedHessian {
 public:
  // Blocks of vertices that H has no rows for are left out. The pattern of H holds all others. Which block goes where
  // is planned once for two patterns, and anew where further blocks of S are not zero.
  void add(const Embedding& embedding, const SymBlockMatrix& S, SymBlockMatrix& H);

 private:
  struct Share {
    std::int64_t to = 0, from = 0;  // slots of H and S
    double weight = 0;              // w_ia w_jb
    bool transposed = false;
  };
  bool planned(const SymBlockMatrix& S, const SymBlockMatrix& H) const;
  void plan(const Embedding& embedding, const SymBlockMatrix& S, const SymBlockMatrix& H);

  std::shared_ptr<const BlockPattern> from_, to_;
  std::vector<char> known_;  // by slot of S: its shares are among those below
  std::vector<Share> shares_;
  std::vector<std::int64_t> begin_;  // of the shares of each slot of H that has some
};

}  // namespace sinew
