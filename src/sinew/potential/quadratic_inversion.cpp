#include "sinew/potential/quadratic_inversion.h"

#include <algorithm>
#include <limits>

#include "sinew/potential/inversion_filter.h"

namespace sinew {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// First root of the coefficient {i, j, k} of det(A + t B), a cubic in t.
double first_root(const CornerJacobians& A, const CornerJacobians& B, const std::array<int, 3>& of) {
  const auto [i, j, k] = of;
  const auto D = mixed_discriminant;
  const double c0 = D(A[i], A[j], A[k]);
  if (!(c0 > 0)) return 0;
  const double c1 = D(B[i], A[j], A[k]) + D(A[i], B[j], A[k]) + D(A[i], A[j], B[k]);
  const double c2 = D(A[i], B[j], B[k]) + D(B[i], A[j], B[k]) + D(B[i], B[j], A[k]);
  return first_cubic_root(c0, c1, c2, D(B[i], B[j], B[k]));
}

// Smallest of the first roots of all coefficients; below 1, those of eight parts are sharper. In the smallest parts the
// values at the corners decide.
double bound(const CornerJacobians& A, const CornerJacobians& B, int divisions) {
  static constexpr auto all = bernstein_corners();
  double first = never, at_corners = never;
  for (const auto& of : all) {
    const double root = first_root(A, B, of);
    first = std::min(first, root);
    if (of[0] == of[2]) at_corners = std::min(at_corners, root);
  }
  if (first > 1) return never;
  if (divisions == most_divisions) return at_corners;
  const auto of_a = jacobians_of_parts(A), of_b = jacobians_of_parts(B);
  double least = never;
  for (int p = 0; p < 8; ++p) least = std::min(least, bound(of_a[p], of_b[p], divisions + 1));
  return least;
}

}  // namespace

double first_inversion(const CornerJacobians& A, const CornerJacobians& B) {
  if (coefficient_bound(A, &B) > 0) return never;  // as most tets
  return bound(A, B, 0);
}

}  // namespace sinew
