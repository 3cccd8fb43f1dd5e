// Diagonal preconditioners: the inverses of the 3x3 diagonal blocks, or of the diagonal alone.
#pragma once

#include <vector>

#include "sinew/linalg/linear_solver.h"

namespace sinew {

// M = block diagonal of A. A block that is not safely positive definite (eliminated, indefinite or singular) is
// replaced by the absolute values of its diagonal. If some of these values are zero, they become the block's largest
// entry, or 1 if all are zero. M is therefore always positive definite.
class BlockJacobi : public Preconditioner {
 public:
  bool compute(const NewtonSystem& system) override;
  void apply(const double* r, double* z) const override;
  bool is_local() const override { return true; }
  void apply_rows(const double* r, double* z, Index begin, Index end) const override;

 private:
  std::vector<double> inverse_;  // 6 for each row: entries 00, 10, 20, 11, 21, 22 of the inverse block
};

// M = diag(A). Entries that are not positive are replaced as in BlockJacobi.
class Jacobi : public Preconditioner {
 public:
  bool compute(const NewtonSystem& system) override;
  void apply(const double* r, double* z) const override;
  bool is_local() const override { return true; }
  void apply_rows(const double* r, double* z, Index begin, Index end) const override;

 private:
  std::vector<double> inverse_;  // 3 for each row
};

}  // namespace sinew
