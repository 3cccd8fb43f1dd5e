#include "sinew/material/confidence.h"

#include <limits>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace sinew {

std::string deviation_text(double share) {
  constexpr double least = 1e-4, most = 10;  // told exactly between these
  if (share < least) return fmt::format("+- < {} %", 100 * least);
  if (!(share <= most)) return fmt::format("+- > {} %", 100 * most);
  return fmt::format("+- {:.2g} %", 100 * share);
}

// Columns of J are scaled to length 1. Eigenvectors of A whose eigenvalues are rounding are directions that J does not
// determine.
MatX least_squares_covariance(const MatX& J, const VecX& r, std::span<const ResidualGroup> groups) {
  constexpr double rounding = 1e-12, undetermined = 1e12;
  const Eigen::Index m = J.cols();
  const auto counted = [&](const ResidualGroup& g) {
    return (J.middleRows(g.first, g.count).rowwise().squaredNorm().array() > 0).count();
  };
  Eigen::Index n = 0;
  for (const ResidualGroup& g : groups) n += counted(g);
  if (n <= m) return MatX::Constant(m, m, std::numeric_limits<double>::infinity());
  VecX scale = J.colwise().norm();
  for (double& s : scale)
    if (!(s > 0)) s = 1;
  const MatX scaled = J * scale.cwiseInverse().asDiagonal();
  MatX noise = MatX::Zero(m, m);
  for (const ResidualGroup& g : groups) {
    const double freedom = static_cast<double>(counted(g)) * static_cast<double>(n - m) / static_cast<double>(n);
    if (!(freedom > 0)) continue;
    const auto rows = scaled.middleRows(g.first, g.count);
    noise += r.segment(g.first, g.count).squaredNorm() / freedom * (rows.transpose() * rows);
  }
  const Eigen::SelfAdjointEigenSolver<MatX> A(scaled.transpose() * scaled);
  VecX inverse(m), unknown(m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const bool known = A.eigenvalues()[k] > rounding;
    inverse[k] = known ? 1 / A.eigenvalues()[k] : 0;
    unknown[k] = known ? 0 : undetermined;
  }
  const MatX& Q = A.eigenvectors();
  const MatX half = Q * inverse.asDiagonal() * Q.transpose();
  const MatX covariance = half * noise * half + Q * unknown.asDiagonal() * Q.transpose();
  return scale.cwiseInverse().asDiagonal() * covariance * scale.cwiseInverse().asDiagonal();
}

VecX propagated_deviations(const MatX& G, const MatX& covariance) {
  if (!covariance.allFinite())
    return (G.rowwise().norm().array() > 0)
        .select(VecX::Constant(G.rows(), std::numeric_limits<double>::infinity()), 0);
  return (G * covariance * G.transpose()).diagonal().cwiseMax(0).cwiseSqrt();
}

}  // namespace sinew
