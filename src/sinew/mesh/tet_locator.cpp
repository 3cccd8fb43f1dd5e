#include "sinew/mesh/tet_locator.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <Eigen/LU>

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr Index tets_a_leaf = 8;

// The distance of p to a triangle (Ericson 2005, "Real-time collision detection", section 5.1.5).
double triangle_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const bool inside =
      n.dot((b - a).cross(p - a)) >= 0 && n.dot((c - b).cross(p - b)) >= 0 && n.dot((a - c).cross(p - c)) >= 0;
  if (inside) return std::abs(n.dot(p - a)) / n.norm();
  const auto edge_distance = [&](const Vec3& from, const Vec3& to) {
    const Vec3 e = to - from;
    return (from + std::clamp((p - from).dot(e) / e.squaredNorm(), 0.0, 1.0) * e - p).norm();
  };
  return std::min({edge_distance(a, b), edge_distance(b, c), edge_distance(c, a)});
}

}  // namespace

Eigen::Vector4d barycentric(const Points& vertices, const Tets& tets, Index tet, const Vec3& p) {
  const Vec3 a = vertices.col(tets(0, tet));
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = vertices.col(tets(k + 1, tet)) - a;
  const Vec3 w = edges.inverse() * (p - a);
  return {1 - w.sum(), w[0], w[1], w[2]};
}

TetLocator::TetLocator(const Points& vertices, const Tets& tets) : vertices_(vertices), tets_(tets) {
  order_.resize(static_cast<std::size_t>(tets.cols()));
  std::iota(order_.begin(), order_.end(), Index{0});
  if (!order_.empty()) build(0, static_cast<Index>(order_.size()));
}

// Halves of the tets along the longest side of the box of their centres.
Index TetLocator::build(Index begin, Index end) {
  const auto number = static_cast<Index>(nodes_.size());
  Node node;
  node.begin = begin;
  node.end = end;
  Eigen::AlignedBox3d centers;
  const auto center = [&](Index t) {
    Vec3 sum = Vec3::Zero();
    for (const Index v : tets_.col(t)) sum += vertices_.col(v);
    return Vec3(sum / 4);
  };
  for (Index i = begin; i < end; ++i) {
    for (const Index v : tets_.col(order_[i])) node.box.extend(Vec3(vertices_.col(v)));
    centers.extend(center(order_[i]));
  }
  nodes_.push_back(node);
  if (end - begin <= tets_a_leaf) return number;
  int axis = 0;
  centers.sizes().maxCoeff(&axis);
  const Index middle = (begin + end) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](Index s, Index t) { return std::pair(center(s)[axis], s) < std::pair(center(t)[axis], t); });
  build(begin, middle);
  const Index right = build(middle, end);
  nodes_[number].right = right;
  return number;
}

double TetLocator::distance(Index tet, const Vec3& p) const {
  if (barycentric(vertices_, tets_, tet, p).minCoeff() >= 0) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& face : tet_faces)
    least = std::min(least, triangle_distance(p, vertices_.col(tets_(face[0], tet)), vertices_.col(tets_(face[1], tet)),
                                              vertices_.col(tets_(face[2], tet))));
  return least;
}

// The nearer child first; boxes farther than the best tet hold no better one.
void TetLocator::search(Index number, const Vec3& p, TetPoint& best) const {
  const Node& node = nodes_[number];
  if (node.box.exteriorDistance(p) > best.distance) return;
  if (node.right < 0) {
    for (Index i = node.begin; i < node.end; ++i) {
      const Index t = order_[i];
      const double d = distance(t, p);
      if (d < best.distance || (d == best.distance && t < best.tet)) {
        best.distance = d;
        best.tet = t;
      }
    }
    return;
  }
  Index first = number + 1, second = node.right;
  if (nodes_[second].box.exteriorDistance(p) < nodes_[first].box.exteriorDistance(p)) std::swap(first, second);
  search(first, p, best);
  search(second, p, best);
}

TetPoint TetLocator::nearest(const Vec3& p) const {
  TetPoint best;
  best.distance = std::numeric_limits<double>::infinity();
  search(0, p, best);
  best.weights = barycentric(vertices_, tets_, best.tet, p);
  return best;
}

}  // namespace sinew
