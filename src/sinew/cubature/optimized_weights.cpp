#include "sinew/cubature/optimized_weights.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sinew/core/random_stream.h"
#include "sinew/linalg/nnls.h"

namespace sinew {
namespace {

// `count` of the free tets, each as likely as the others.
std::vector<Index> some_of(std::vector<Index>& free, Index count, RandomStream& random) {
  const auto n = static_cast<Index>(free.size());
  count = std::min(count, n);
  for (Index k = 0; k < count; ++k) {
    const Index other = k + std::min(n - k - 1, static_cast<Index>(random.uniform() * (n - k)));
    std::swap(free[k], free[other]);
  }
  std::vector<Index> chosen(free.begin(), free.begin() + count);
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

OptimizedCubature optimized_cubature(const OptimizedTraining& training, const OptimizedOptions& options) {
  const Eigen::Index r = training.whole.rows(), T = training.whole.cols();
  VecX scale(r * T), b(r * T);
  for (Eigen::Index t = 0; t < T; ++t) {
    const double norm = training.whole.col(t).norm();
    scale.segment(r * t, r).setConstant(norm > 0 ? 1 / norm : 0);
    b.segment(r * t, r) = scale[r * t] * training.whole.col(t);
  }
  OptimizedCubature result;
  const double size = b.norm();
  if (!(size > 0)) return result;
  Nnls problem(b);
  RandomStream random(options.seed, 0);
  std::vector<Index> free(static_cast<std::size_t>(training.tets)), points;
  std::iota(free.begin(), free.end(), 0);
  VecX missing = b, weights;
  result.error = 1;
  while (result.error > options.tolerance && !free.empty() &&
         (options.points == 0 || static_cast<Index>(points.size()) < options.points)) {
    const std::vector<Index> candidates = some_of(free, options.candidates, random);
    const MatX forces = scale.asDiagonal() * training.forces(candidates);
    // The largest cosine with what is missing.
    Eigen::Index best = -1;
    double cosine = 0;
    for (Eigen::Index k = 0; k < forces.cols(); ++k) {
      const double norm = forces.col(k).norm();
      const double along = norm > 0 ? forces.col(k).dot(missing) / norm : 0;
      if (along > cosine) cosine = along, best = k;
    }
    if (best < 0) break;
    points.push_back(candidates[static_cast<std::size_t>(best)]);
    std::erase(free, points.back());
    problem.add_columns(forces.col(best));
    const NnlsResult fit = problem.solve();
    weights = fit.x;
    missing = problem.residual();
    result.error = missing.norm() / size;
    if (options.after_point) options.after_point(static_cast<Index>(points.size()), result.error);
  }
  std::vector<std::pair<Index, double>> kept;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (weights[static_cast<Eigen::Index>(k)] > 0) kept.emplace_back(points[k], weights[static_cast<Eigen::Index>(k)]);
  std::ranges::sort(kept);
  for (const auto& [tet, weight] : kept) {
    result.cubature.tets.push_back(tet);
    result.cubature.weights.push_back(weight);
  }
  return result;
}

}  // namespace sinew
