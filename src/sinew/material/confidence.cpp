#include "sinew/material/confidence.h"

#include <algorithm>
#include <limits>

#include <Eigen/Cholesky>
#include <fmt/format.h>

namespace sinew {

std::string deviation_text(double share) {
  constexpr double least = 1e-4, most = 10;  // told exactly between these
  if (share < least) return fmt::format("+- < {} %", 100 * least);
  if (!(share <= most)) return fmt::format("+- > {} %", 100 * most);
  return fmt::format("+- {:.2g} %", 100 * share);
}

// Columns of J are scaled to length 1. A small multiple of the unit matrix, in A and in the noise, makes the variance
// large along directions that J does not determine.
MatX least_squares_covariance(const MatX& J, const VecX& r, std::span<const ResidualGroup> groups) {
  const Eigen::Index m = J.cols();
  Eigen::Index n = 0;
  for (const ResidualGroup& g : groups) n += g.count;
  if (n <= m) return MatX::Constant(m, m, std::numeric_limits<double>::infinity());
  constexpr double least = 1e-13;  // squared singular value, of columns of length 1
  VecX scale = J.colwise().norm();
  for (double& s : scale)
    if (!(s > 0)) s = 1;
  const MatX scaled = J * scale.cwiseInverse().asDiagonal();
  MatX A = scaled.transpose() * scaled, noise = MatX::Zero(m, m);
  double greatest = 0;
  for (const ResidualGroup& g : groups) {
    const double freedom = static_cast<double>(g.count) * static_cast<double>(n - m) / static_cast<double>(n);
    const double variance = r.segment(g.first, g.count).squaredNorm() / freedom;
    const auto rows = scaled.middleRows(g.first, g.count);
    noise += variance * (rows.transpose() * rows);
    greatest = std::max(greatest, variance);
  }
  A.diagonal().array() += least;
  noise.diagonal().array() += least * greatest;
  const Eigen::LDLT<MatX> factor(A);
  const MatX half = factor.solve(noise);
  const MatX covariance = factor.solve(half.transpose());
  return scale.cwiseInverse().asDiagonal() * covariance * scale.cwiseInverse().asDiagonal();
}

VecX propagated_deviations(const MatX& G, const MatX& covariance) {
  if (!covariance.allFinite())
    return (G.rowwise().norm().array() > 0)
        .select(VecX::Constant(G.rows(), std::numeric_limits<double>::infinity()), 0);
  return (G * covariance * G.transpose()).diagonal().cwiseMax(0).cwiseSqrt();
}

}  // namespace sinew
