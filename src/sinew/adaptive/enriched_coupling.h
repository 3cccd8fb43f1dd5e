// The coupling between enriched vertices and vertices that modes move (TS, section 3.8).
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// The blocks C_xm of a matrix C between enriched vertices x and other vertices m. They are stored by rows x, with an
// index by columns for transposed products. J = U_m^T C_mx is never formed, because products with C_mx and U_m cost
// only the stencils at the border of the enriched set.
class EnrichedCoupling {
 public:
  // enriched: a flag for each row of C. Enriched vertices and other vertices are each numbered in ascending order.
  void set(const SymBlockMatrix& C, std::span<const char> enriched);
  bool empty() const { return column_.empty(); }

  // p (3 x others) = C_mx x, with x of 3 entries for each enriched vertex.
  void to_others(const double* x, Points& p) const;
  // y -= C_xm p.
  void subtract(const Points& p, double* y) const;

 private:
  std::vector<std::int64_t> begin_;  // by enriched row
  std::vector<Index> column_;
  std::vector<double> value_;                                     // 9 entries for each block, column-major
  std::vector<std::int64_t> transposed_begin_, transposed_slot_;  // by column
  std::vector<Index> transposed_row_;
};

}  // namespace sinew
