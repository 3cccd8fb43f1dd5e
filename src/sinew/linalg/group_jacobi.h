// Block-diagonal preconditioner with dense blocks over groups of consecutive block rows, such as the four rows of a
// handle.
#pragma once

#include <vector>

#include "sinew/linalg/linear_solver.h"

namespace sinew {

// Every `group` block rows of A form one dense block of 3 group scalars; the last block may be smaller. A block that is
// not safely positive definite is replaced by the absolute values of its diagonal, and by 1 if these are zero.
class GroupJacobi : public Preconditioner {
 public:
  explicit GroupJacobi(Index group) : group_(group) {}

  bool compute(const NewtonSystem& system) override;
  void apply(const double* r, double* z) const override;

 private:
  Index group_, rows_ = 0;
  std::vector<double> inverse_;  // (3 group)^2 entries for each group, column-major
};

}  // namespace sinew
