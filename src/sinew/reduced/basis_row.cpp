#include "sinew/reduced/basis_row.h"

namespace sinew {
namespace {

// out += factor * row of W at a vertex: phi_i (1, (X - c_i)/r_i) of its handles.
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
  add_handles(basis.sets[set].prescribed, X, vertex, factor, 4 * basis.handle_count(), out);
}

AxisRows axis_rows(const ReducedBasis& basis, const Points& rest) {
  AxisRows rows;
  rows.rows = column_count(basis);
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
