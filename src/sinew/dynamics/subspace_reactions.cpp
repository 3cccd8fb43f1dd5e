#include "sinew/dynamics/subspace_reactions.h"

#include <Eigen/QR>

namespace sinew {
namespace {

using Wrench = Eigen::Matrix<double, 6, 1>;  // force, and moment over a length

// The wrench about `center` of a unit force along axis k at p, moments over `length`.
Wrench unit_wrench(const Vec3& p, int k, const Vec3& center, double length) {
  Wrench wrench;
  wrench << Vec3::Unit(k), (p - center).cross(Vec3::Unit(k)) / length;
  return wrench;
}

}  // namespace

Points subspace_reactions(const System& system, const Points& x, const Points& residual,
                          const std::vector<char>& fixed) {
  const Index n = system.dynamic_count;
  const auto is_fixed = [&](Index i, int k) { return fixed[3 * static_cast<std::size_t>(i) + k] != 0; };
  Points reaction = Points::Zero(3, n);
  std::vector<std::vector<std::pair<Index, int>>> held(system.bodies.size());  // vertices and axes
  std::vector<Vec3> center(held.size(), Vec3::Zero());
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (is_fixed(i, k)) {
        held[system.vertex_body[i]].emplace_back(i, k);
        center[system.vertex_body[i]] += x.col(i);
      }
  for (std::size_t b = 0; b < held.size(); ++b)
    if (!held[b].empty()) center[b] /= static_cast<double>(held[b].size());
  std::vector<Wrench> unbalanced(held.size(), Wrench::Zero());
  for (Index i = 0; i < n; ++i) {
    const Index b = system.vertex_body[i];
    if (held[b].empty()) continue;
    for (int k = 0; k < 3; ++k)
      if (!is_fixed(i, k)) unbalanced[b] += residual(k, i) * unit_wrench(x.col(i), k, center[b], system.diagonal);
  }
  for (std::size_t b = 0; b < held.size(); ++b) {
    if (held[b].empty()) continue;
    MatX map(6, static_cast<Index>(held[b].size()));
    for (std::size_t c = 0; c < held[b].size(); ++c)
      map.col(c) = unit_wrench(x.col(held[b][c].first), held[b][c].second, center[b], system.diagonal);
    const VecX moved = map.completeOrthogonalDecomposition().solve(unbalanced[b]);
    for (std::size_t c = 0; c < held[b].size(); ++c) {
      const auto [i, k] = held[b][c];
      reaction(k, i) = residual(k, i) + moved[c];
    }
  }
  return reaction;
}

}  // namespace sinew
