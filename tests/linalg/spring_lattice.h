// Lattices of springs: matrices with the rigid motions as kernel, as those of elastic bodies.
#pragma once

#include <memory>
#include <vector>

#include "linalg/linalg_fixtures.h"

namespace sinew::test {

struct SpringLattice {
  SymBlockMatrix A;
  MatX rigid;               // 3 rows x 6, zero at fixed coordinates
  std::vector<char> fixed;  // the face x = 0, if held
};

// Springs of stiffness 1 along the edges of nx x ny x nz vertices whose cubes are cut into tets.
inline SpringLattice spring_lattice(Index nx, Index ny, Index nz, bool held) {
  const Pairs pairs = grid_pairs(nx, ny, nz);
  const Index n = nx * ny * nz;
  const auto place = [&](Index v) { return Vec3(v / (ny * nz), v / nz % ny, v % nz); };
  SpringLattice result{SymBlockMatrix(make_pattern(n, pairs)), MatX::Zero(3 * n, 6),
                       std::vector<char>(3 * static_cast<std::size_t>(n), 0)};
  for (const auto& [a, b] : pairs) {
    const Vec3 along = (place(b) - place(a)).normalized();
    const Mat3 k = along * along.transpose();
    const BlockPattern& pattern = result.A.pattern();
    Eigen::Map<Mat3>(result.A.block(pattern.row_begin[a])) += k;
    Eigen::Map<Mat3>(result.A.block(pattern.row_begin[b])) += k;
    Eigen::Map<Mat3>(result.A.block(pattern.find(std::min(a, b), std::max(a, b)))) -= k;
  }
  for (Index v = 0; v < n; ++v) {
    result.rigid.block<3, 3>(3 * v, 0).setIdentity();
    for (int k = 0; k < 3; ++k) result.rigid.block<3, 1>(3 * v, 3 + k) = Vec3::Unit(k).cross(place(v) / nx);
    if (!held || place(v)[0] > 0) continue;
    result.rigid.middleRows(3 * v, 3).setZero();
    for (std::size_t k = 0; k < 3; ++k) result.fixed[3 * static_cast<std::size_t>(v) + k] = 1;
  }
  return result;
}

}  // namespace sinew::test
