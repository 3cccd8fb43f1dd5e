// How sure the result of a least-squares fit is.
#pragma once

#include <span>
#include <string>

#include "sinew/core/types.h"

namespace sinew {

// Residuals [first, first + count) whose noise is independent, with one variance.
struct ResidualGroup {
  Eigen::Index first = 0, count = 0;
};

inline constexpr double unsure = 0.5;  // of a number: standard deviations above this share of it

// Returns a text like "+- 0.8 %" for a standard deviation as a share of the number.
std::string deviation_text(double share);

// Returns the covariance, m x m, of the x that minimises |r(x)|^2, from r and J = dr/dx at the minimum:
//
//   A^-1 (sum_g v_g J_g^T J_g) A^-1,   A = J^T J,   v_g = |r_g|^2 / (n_g (1 - m / n)),
//
// for m unknowns and groups g of n_g rows, n in all. Rows of zeros, such as points at rest, do not count. One group
// gives v (J^T J)^-1 (Seber, Wild 1989, Nonlinear Regression, section 2.1). Unknowns that no row determines have huge
// variances. All entries are infinite if n <= m.
MatX least_squares_covariance(const MatX& J, const VecX& r, std::span<const ResidualGroup> groups);

// Returns the standard deviations of f(x), from its derivatives G = df/dx and the covariance of x: the roots of the
// diagonal of G C G^T. Infinite where x is.
VecX propagated_deviations(const MatX& G, const MatX& covariance);

}  // namespace sinew
