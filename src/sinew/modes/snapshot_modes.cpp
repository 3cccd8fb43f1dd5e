#include "sinew/modes/snapshot_modes.h"

#include <cmath>

#include "sinew/linalg/dense_decompositions.h"

namespace sinew {
namespace {

// Of the largest energy: the Gram matrix squares singular values, below this they are rounding.
constexpr double least_energy = 1e-12;

}  // namespace

// With S = M^(1/2) [d_1 .. d_T] and S^T S = V diag(e) V^T: modes M^(-1/2) S V / sqrt(e).
SnapshotModes snapshot_modes(const std::vector<Points>& displacements, const std::vector<double>& mass, Index count) {
  const auto frames = static_cast<Index>(displacements.size()), n = static_cast<Index>(mass.size());
  SnapshotModes modes;
  modes.vectors.resize(3 * n, 0);
  if (frames == 0) return modes;
  VecX root(3 * n);
  for (Index i = 0; i < n; ++i) root.segment<3>(3 * i).setConstant(std::sqrt(mass[i]));
  MatX S(3 * n, frames);
  for (Index t = 0; t < frames; ++t)
    S.col(t) = root.cwiseProduct(Eigen::Map<const VecX>(displacements[t].data(), 3 * n));
  const SymmetricEigen eigen = symmetric_eigen(S.transpose() * S);
  const VecX energy = eigen.values.reverse();
  const double total = energy.cwiseMax(0.0).sum();
  Index kept = 0;
  while (kept < std::min(count, frames) && energy[kept] > least_energy * energy[0]) ++kept;
  modes.energies = energy.head(kept) / total;
  const MatX V = eigen.vectors.rowwise().reverse().leftCols(kept);
  modes.vectors = root.cwiseInverse().asDiagonal() * (S * V);
  for (Index k = 0; k < kept; ++k) modes.vectors.col(k) /= std::sqrt(energy[k]);
  return modes;
}

}  // namespace sinew
