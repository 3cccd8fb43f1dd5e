// How far a computed Krylov space is from the exact one (theory, section 9).
//
// Solves give X = K^+ M q + e for the modes q of the order before, with errors e. Gram-Schmidt gives new modes Q with
// Q R = X - U C from all modes U before. Let d be a deviation of each mode, such that q - d lies in the exact space.
// Deviations of the new modes are
//   d_new = (e + K^+ M d - D C) R^-1 .
// The sine of the largest angle between both spaces is at most |D| in the mass. The recurrence is exact; its terms e
// and K^+ M d are estimates.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

class KrylovError {
 public:
  // mass: 3 n, must outlive this.
  explicit KrylovError(const VecX& mass) : mass_(mass) {}

  // Deviations of modes [first, first + count), zero for those of the start. Each column has 3 n entries.
  MatX deviations(Index first, Index count) const { return D_.middleCols(first, count); }
  // Adds the deviations of the modes that X has added to U: all modes, orthonormal in the mass. errors: estimates of
  // X - K^+ M q. transported: K^+ M d. Both have the columns of X.
  void append(const MatX& U, const MatX& X, const MatX& errors, const MatX& transported);

  // Bound on the sine of the largest angle between the spaces.
  double sine() const;

 private:
  const VecX& mass_;
  MatX D_;  // 3 n x modes
};

}  // namespace sinew
