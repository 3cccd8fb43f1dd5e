// Displacements u = U q by affine handles and by dense modes.
#pragma once

#include "sinew/subspace/handle_transfer.h"

namespace sinew {

// The columns of U in blocks of 12: first those of each handle, then the dense modes, padded with zero columns.
struct ModeBasis {
  HandleBasis handles;
  MatX dense;  // 12 b x 3 n: the dense columns of U, transposed; empty if there are none

  Index dense_blocks() const { return static_cast<Index>(dense.rows()) / 12; }
  Index block_count() const { return handles.handle_count() + dense_blocks(); }
};

// Repeated products with U and its transpose.
class ModeTransfer {
 public:
  // basis: its dense columns are kept by reference. rest: 3 x n.
  ModeTransfer(const ModeBasis& basis, const Points& rest);

  // As in HandleTransfer, with q and r of 12 block_count() values.
  void add_lifted(const double* q, const char* fixed, double* u);
  void restrict_to(const double* g, double* r);
  // Only for the handles: 12 handle_count() values.
  void restrict_to_handles(const double* g, double* r) { handles_.restrict_to(g, r); }

 private:
  HandleTransfer handles_;
  const MatX& dense_;
  MatX partial_;  // by chunk, used by restrict_to()
};

}  // namespace sinew
