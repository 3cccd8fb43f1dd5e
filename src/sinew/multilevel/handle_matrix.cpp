#include "sinew/multilevel/handle_matrix.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Share of a handle's largest diagonal entry that is added to its whole diagonal: below rounding of entries that
// matter.
constexpr double empty_row = 1e-16;
// Shifts s of A + s diag(A), tried from the first to the last. Dependent columns of U make pivots that are zero but for
// rounding. The first shift is above that: without it the factorisation succeeds by luck, and q is of any size. Its
// root, 3e-6, is far above single precision (6e-8), in which factors may be kept.
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
