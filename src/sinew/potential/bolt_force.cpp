#include "sinew/potential/bolt_force.h"

#include <algorithm>
#include <utility>

#include <Eigen/LU>

#include "sinew/core/tet_topology.h"

namespace sinew {
namespace {

// H at the vertices of a ten-node tet is linear between its corners; at a vertex of several tets it is one value.
class Side {
 public:
  Side(const System& system, const Bolt& bolt) : s_(system), bolt_(bolt), rounding_(1e-9 * system.diagonal) {}

  double at_corner(Index v) const {
    return bolt_.setup.normal.dot(s_.rest.col(v) - bolt_.setup.point) > rounding_ ? 1 : 0;
  }

 private:
  const System& s_;
  const Bolt& bolt_;
  double rounding_;
};

// H by vertex of the cut's tets.
std::vector<std::pair<Index, double>> heights(const System& s, const Bolt& bolt) {
  const Side side(s, bolt);
  std::vector<std::pair<Index, double>> result;
  for (const Index t : bolt.tets) {
    const Index q = s.quadratic_of(t);
    if (q < 0) {
      for (int k = 0; k < 4; ++k) result.emplace_back(s.tets(k, t), side.at_corner(s.tets(k, t)));
      continue;
    }
    const Index* nodes = s.quadratic_tets.col(q).data();
    for (int k = 0; k < 4; ++k) result.emplace_back(nodes[k], side.at_corner(nodes[k]));
    for (int e = 0; e < 6; ++e)
      result.emplace_back(
          nodes[4 + e],
          (side.at_corner(nodes[quadratic_tet_edges[e][0]]) + side.at_corner(nodes[quadratic_tet_edges[e][1]])) / 2);
  }
  std::ranges::sort(result);
  result.erase(
      std::unique(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
      result.end());
  return result;
}

Vec3 axis_of(const System& s, const Bolt& bolt, const Points& x) {
  Vec3 sum = Vec3::Zero();
  for (const Index t : bolt.tets) {
    Mat3 now, rest;
    for (int k = 0; k < 3; ++k) {
      now.col(k) = x.col(s.tets(k + 1, t)) - x.col(s.tets(0, t));
      rest.col(k) = s.rest.col(s.tets(k + 1, t)) - s.rest.col(s.tets(0, t));
    }
    sum += std::abs(rest.determinant()) * (now * (rest.inverse() * bolt.setup.normal));
  }
  return sum.normalized();
}

}  // namespace

std::vector<BoltForce> bolt_forces(const System& s, const ElasticEnergy& elastic, const Points& x) {
  std::vector<BoltForce> result;
  Points g = Points::Zero(3, s.dynamic_count);
  for (const Bolt& bolt : s.bolts) {
    elastic.add_gradient(x, bolt.tets, 1, g);
    Vec3 R = Vec3::Zero();
    for (const auto& [v, height] : heights(s, bolt)) {
      if (v >= s.dynamic_count) continue;
      R += height * g.col(v);
      g.col(v).setZero();
    }
    const Vec3 axis = axis_of(s, bolt, x);
    result.push_back({R.dot(axis), (R - R.dot(axis) * axis).norm()});
  }
  return result;
}

}  // namespace sinew
