// Groups the rows of a sparse matrix into compact aggregates along its strong couplings (Vanek, Mandel, Brezina 1996).
#pragma once

#include <span>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Aggregates {
  Index count = 0;
  std::vector<Index> of;  // by row: its aggregate
};

// begin, column: the pattern by rows. size: by entry, the norm of the coupling over the roots of both diagonals. An
// entry is strong if it exceeds `strong` times the largest of either row. Roots are more than `reach` strong couplings
// apart; each row joins the nearest root. Rows without couplings, such as those of prescribed vertices, share one
// aggregate: one each would keep the coarse matrices large. Serial, linear in the entries.
Aggregates aggregate(std::span<const std::int64_t> begin, std::span<const Index> column, std::span<const float> size,
                     double strong, int reach);

}  // namespace sinew
