// Displacements by affine handles and by dense modes: u = U q.
#pragma once

#include "sinew/subspace/handle_transfer.h"

namespace sinew {

// The columns of U in blocks of 12: first each handle's, then the dense modes', padded with zero columns.
struct ModeBasis {
  HandleBasis handles;
  MatX dense;  // 12 b x 3 n: the dense columns of U, transposed; empty where there are none

  Index dense_blocks() const { return static_cast<Index>(dense.rows()) / 12; }
  Index block_count() const { return handles.handle_count() + dense_blocks(); }
};

// Repeated products with U and its transpose.
class ModeTransfer {
 public:
  // Keeps a reference to the dense columns. rest: 3 x n.
  ModeTransfer(const ModeBasis& basis, const Points& rest);

  // Like HandleTransfer, with q and r of 12 block_count() values.
  void add_lifted(const double* q, const char* fixed, double* u);
  void restrict_to(const double* g, double* r);
  // For the handles alone: 12 handle_count() values.
  void restrict_to_handles(const double* g, double* r) { handles_.restrict_to(g, r); }

 private:
  HandleTransfer handles_;
  const MatX& dense_;
  MatX partial_;  // by chunk, for restrict_to()
};

}  // namespace sinew
