// Rows of W. The displacement of a vertex along an axis is its row times the axis' column of y.
#pragma once

#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

// Number of free and prescribed columns of W.
inline Index column_count(const ReducedBasis& basis) {
  return 4 * (basis.handle_count() + static_cast<Index>(basis.motions.size()));
}

// out += factor * row of a vertex in the set `set` of ReducedBasis::sets. rest: rest positions, 3 x n [m].
void add_row(const ReducedBasis& basis, int set, const Points& rest, Index vertex, double factor, double* out);

// Returns the rows of all vertices, for each set of axes. basis and rest must outlive the result.
AxisRows axis_rows(const ReducedBasis& basis, const Points& rest);

VecX basis_row(const ReducedBasis& basis, int set, const Points& rest, Index vertex);

}  // namespace sinew
