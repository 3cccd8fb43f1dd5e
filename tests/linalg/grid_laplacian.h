// The graph Laplacian of a grid: a sparse matrix whose eigenvalues are known.
#pragma once

#include <vector>

#include "sinew/linalg/scalar_cholesky.h"

namespace sinew::test {

// Of a x b x c nodes, plus `shift` on the diagonal.
inline SparseMatrix grid_laplacian(Index a, Index b, Index c, double shift = 0) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  const auto id = [&](Index i, Index j, Index k) { return i + a * (j + b * k); };
  const auto link = [&](Index p, Index q) {
    entries.insert(entries.end(), {{p, p, 1.0}, {q, q, 1.0}, {p, q, -1.0}, {q, p, -1.0}});
  };
  for (Index k = 0; k < c; ++k) {
    for (Index j = 0; j < b; ++j) {
      for (Index i = 0; i < a; ++i) {
        entries.emplace_back(id(i, j, k), id(i, j, k), shift);
        if (i + 1 < a) link(id(i, j, k), id(i + 1, j, k));
        if (j + 1 < b) link(id(i, j, k), id(i, j + 1, k));
        if (k + 1 < c) link(id(i, j, k), id(i, j, k + 1));
      }
    }
  }
  SparseMatrix A(a * b * c, a * b * c);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

}  // namespace sinew::test
