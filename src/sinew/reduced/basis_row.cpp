#include "sinew/reduced/basis_row.h"

namespace sinew {
namespace {

// The scalars phi (1, (X - c) / r) of the handles at a vertex, each into its four rows of `out`.
void add_handles(const HandleBasis& basis, const Vec3& X, Index vertex, double factor, Index first, double* out) {
  for (auto e = basis.begin[vertex]; e < basis.begin[vertex + 1]; ++e) {
    const Index i = basis.handle[e];
    const Vec3 s = (X - basis.center[i]) / basis.radius[i];
    double* at = out + first + 4 * i;
    const double weight = factor * basis.weight[e];
    at[0] += weight;
    for (int k = 0; k < 3; ++k) at[k + 1] += weight * s[k];
  }
}

}  // namespace

void add_row(const ReducedBasis& basis, int set, const Points& rest, Index vertex, double factor, double* out) {
  const Vec3 X = rest.col(vertex);
  add_handles(basis.sets[set].free, X, vertex, factor, 0, out);
  add_handles(basis.sets[set].driven, X, vertex, factor, 4 * basis.handle_count(), out);
}

namespace {

// The numbers of U at the vertex along the axis, then those of the motions: of motion m they are at 12 m + 4 axis.
VecX dense_row(const ReducedBasis& basis, int axis, const Points& rest, Index vertex) {
  VecX w = VecX::Zero(column_count(basis));
  const Index r = basis.dof_count();
  if (vertex < basis.modes.rows() / 3) w.head(r) = basis.modes.row(3 * vertex + axis);
  if (basis.motions.empty()) return w;
  VecX driven = VecX::Zero(4 * static_cast<Index>(basis.motions.size()));
  add_handles(basis.sets[basis.set[axis]].driven, rest.col(vertex), vertex, 1, 0, driven.data());
  for (std::size_t m = 0; m < basis.motions.size(); ++m)
    w.segment<4>(r + 12 * static_cast<Index>(m) + 4 * axis) = driven.segment<4>(4 * static_cast<Index>(m));
  return w;
}

}  // namespace

AxisRows axis_rows(const ReducedBasis& basis, const Points& rest) {
  AxisRows rows;
  rows.rows = column_count(basis);
  if (basis.is_dense()) {
    rows.free = basis.dof_count();
    rows.column = {0, 0, 0};
    rows.set = {0, 1, 2};
    rows.row = [&basis, &rest](int axis, Index vertex) { return dense_row(basis, axis, rest, vertex); };
    return rows;
  }
  rows.free = 4 * basis.handle_count();
  rows.set = basis.set;
  rows.row = [&basis, &rest](int axis, Index vertex) { return basis_row(basis, basis.set[axis], rest, vertex); };
  return rows;
}

VecX basis_row(const ReducedBasis& basis, int set, const Points& rest, Index vertex) {
  VecX w = VecX::Zero(column_count(basis));
  add_row(basis, set, rest, vertex, 1, w.data());
  return w;
}

}  // namespace sinew
