// How enriched vertices and those that move by modes pull at each other (TS, section 3.8).
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// The blocks C_xm of a matrix C between enriched vertices x and others m, row by row of the enriched ones, and an index
// by columns for products the other way. J = U_m^T C_mx is never formed: products with C_mx and U_m cost the stencils
// at the border of the enriched set ("only sourced from energy stencils that include both enriched and subspace DOF").
class EnrichedCoupling {
 public:
  // enriched: a flag of each row of C. Enriched rows and the others are numbered in their order here.
  void set(const SymBlockMatrix& C, std::span<const char> enriched);
  bool empty() const { return column_.empty(); }

  // p (3 x others) = C_mx x.
  void to_others(const double* x, Points& p) const;
  // y -= C_xm p.
  void subtract(const Points& p, double* y) const;

 private:
  std::vector<std::int64_t> begin_;  // of each enriched row
  std::vector<Index> column_;
  std::vector<double> value_;                                     // 9 each, column-major
  std::vector<std::int64_t> transposed_begin_, transposed_slot_;  // by column
  std::vector<Index> transposed_row_;
};

}  // namespace sinew
