#include "sinew/multilevel/handle_matrix.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Of the largest on a handle's diagonal, added to all of it.
constexpr double empty_row = 1e-16;
// Of the diagonal. Where columns of U depend on each other the first is above what rounding makes of zero pivots:
// without it factorisations succeed by luck and corrections are of any size. Its root is far above single precision,
// in which factors may be kept.
constexpr double first_shift = 1e-11, last_shift = 1e-6;

}  // namespace

void fill_empty_rows(SymBlockMatrix& A) {
  const auto& begin = A.pattern().row_begin;
  parallel_for(
      A.rows() / 4,
      [&](std::size_t i) {
        const auto diagonal = [&](int k) -> double& { return A.block(begin[4 * i + k / 3])[4 * (k % 3)]; };
        double largest = 0;
        for (int k = 0; k < 12; ++k) largest = std::max(largest, diagonal(k));
        const double least = largest > 0 ? empty_row * largest : 1.0;
        for (int k = 0; k < 12; ++k) diagonal(k) += least;
      },
      64);
}

bool factor_shifted(SymBlockMatrix& A, LinearSolver& solver, bool& computed) {
  const auto& begin = A.pattern().row_begin;
  double shifted = 0;
  computed = false;
  for (double shift = first_shift; !computed && shift < 2 * last_shift; shift *= 10) {
    for (Index i = 0; i < A.rows(); ++i)
      for (int k = 0; k < 3; ++k) A.block(begin[i])[4 * k] *= (1 + shift) / (1 + shifted);
    shifted = shift;
    computed = solver.compute(A);
  }
  return shifted == first_shift && computed;
}

}  // namespace sinew
