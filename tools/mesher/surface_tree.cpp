#include "surface_tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace sinew::mesher {
namespace {

constexpr Index leaf_size = 4;

// C. Ericson, Real-Time Collision Detection, section 5.1.5: the Voronoi region of the triangle in which p lies.
Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return d1 - d3 > 0 ? Vec3(a + d1 / (d1 - d3) * ab) : a;
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return d2 - d6 > 0 ? Vec3(a + d2 / (d2 - d6) * ac) : a;
  const double va = d3 * d6 - d5 * d4;
  const double along = d4 - d3, back = d5 - d6;
  if (va <= 0 && along >= 0 && back >= 0) return along + back > 0 ? Vec3(b + along / (along + back) * (c - b)) : b;
  const double sum = va + vb + vc;
  return a + vb / sum * ab + vc / sum * ac;
}

bool ray_meets_box(const Vec3& p, const Vec3& inverse, const Eigen::AlignedBox3d& box) {
  double near = 0, far = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    double t0 = (box.min()[k] - p[k]) * inverse[k], t1 = (box.max()[k] - p[k]) * inverse[k];
    if (t0 > t1) std::swap(t0, t1);
    near = std::max(near, t0);
    far = std::min(far, t1);
  }
  return near <= far * (1 + 1e-12);
}

// T. Möller, B. Trumbore, Fast, minimum storage ray-triangle intersection, 1997.
// How far along the ray, 0: not at all.
double ray_meets_triangle(const Vec3& p, const Vec3& direction, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, q = direction.cross(ac);
  const double det = ab.dot(q);
  if (det == 0) return 0;
  const Vec3 ap = p - a, r = ap.cross(ab);
  const double u = ap.dot(q) / det, v = direction.dot(r) / det;
  return u >= 0 && v >= 0 && u + v <= 1 ? std::max(0.0, ac.dot(r) / det) : 0;
}

}  // namespace

SurfaceTree::SurfaceTree(const Points& vertices, const Triangles& triangles) : corners_(3, 3 * triangles.cols()) {
  const Eigen::Index count = triangles.cols();
  Points centres(3, count);
  for (Eigen::Index f = 0; f < count; ++f) {
    for (int k = 0; k < 3; ++k) corners_.col(3 * f + k) = vertices.col(triangles(k, f));
    centres.col(f) = (corners_.col(3 * f) + corners_.col(3 * f + 1) + corners_.col(3 * f + 2)) / 3;
  }
  order_.resize(static_cast<std::size_t>(count));
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.push_back({.box = {}, .first = 0, .count = static_cast<Index>(count), .left = -1});
  for (std::size_t node = 0; node < nodes_.size(); ++node) split(node, centres);
}

void SurfaceTree::split(std::size_t node, const Points& centres) {
  Node& n = nodes_[node];
  Eigen::AlignedBox3d spread;
  for (Index i = n.first; i < n.first + n.count; ++i) {
    const Index f = order_[static_cast<std::size_t>(i)];
    for (int k = 0; k < 3; ++k) n.box.extend(corner(f, k));
    spread.extend(centres.col(f));
  }
  if (n.count <= leaf_size) return;
  Eigen::Index axis = 0;
  spread.sizes().maxCoeff(&axis);
  const Index first = n.first, count = n.count, half = count / 2;
  std::nth_element(order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count,
                   [&](Index f, Index g) {
                     return centres(axis, f) != centres(axis, g) ? centres(axis, f) < centres(axis, g) : f < g;
                   });
  n.left = static_cast<Index>(nodes_.size());
  nodes_.push_back({.box = {}, .first = first, .count = half, .left = -1});
  nodes_.push_back({.box = {}, .first = first + half, .count = count - half, .left = -1});
}

Closest SurfaceTree::closest(const Vec3& p) const {
  Closest best;
  double bound = std::numeric_limits<double>::infinity();
  struct Entry {
    Index node;
    double distance;
  };
  std::vector<Entry> stack = {{0, nodes_[0].box.squaredExteriorDistance(p)}};
  while (!stack.empty()) {
    const auto [id, distance] = stack.back();
    stack.pop_back();
    if (distance >= bound) continue;
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    if (node.left < 0) {
      for (Index i = node.first; i < node.first + node.count; ++i) {
        const Index f = order_[static_cast<std::size_t>(i)];
        const Vec3 q = closest_on_triangle(p, corner(f, 0), corner(f, 1), corner(f, 2));
        const double d = (q - p).squaredNorm();
        if (d >= bound) continue;
        bound = d;
        best.triangle = f;
        best.point = q;
      }
      continue;
    }
    const double l = nodes_[static_cast<std::size_t>(node.left)].box.squaredExteriorDistance(p);
    const double r = nodes_[static_cast<std::size_t>(node.left) + 1].box.squaredExteriorDistance(p);
    if (l < r) {
      stack.push_back({node.left + 1, r});
      stack.push_back({node.left, l});
    } else {
      stack.push_back({node.left, l});
      stack.push_back({node.left + 1, r});
    }
  }
  best.distance = std::sqrt(bound);
  return best;
}

template <class Meets, class Visit>
bool SurfaceTree::any(const Meets& meets, const Visit& visit) const {
  std::array<Index, 64> stack;  // deeper than any median tree; each level leaves one sibling behind
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[static_cast<std::size_t>(stack[--depth])];
    if (!meets(node.box)) continue;
    if (node.left >= 0) {
      stack[depth++] = node.left;
      stack[depth++] = node.left + 1;
      continue;
    }
    for (Index i = node.first; i < node.first + node.count; ++i) {
      if (visit(order_[static_cast<std::size_t>(i)])) return true;
    }
  }
  return false;
}

bool SurfaceTree::comes_within(double distance, const Vec3& p) const {
  const double bound = distance * distance;
  return any([&](const Eigen::AlignedBox3d& box) { return box.squaredExteriorDistance(p) < bound; },
             [&](Index f) {
               return (closest_on_triangle(p, corner(f, 0), corner(f, 1), corner(f, 2)) - p).squaredNorm() < bound;
             });
}

template <class Visit>
void SurfaceTree::along_ray(const Vec3& p, const Vec3& direction, Visit&& visit) const {
  const Vec3 inverse = direction.cwiseInverse();
  any([&](const Eigen::AlignedBox3d& box) { return ray_meets_box(p, inverse, box); },
      [&](Index f) {
        const double t = ray_meets_triangle(p, direction, corner(f, 0), corner(f, 1), corner(f, 2));
        if (t > 0) visit(f, t);
        return false;
      });
}

int SurfaceTree::crossings(const Vec3& p, const Vec3& direction, Index skipped) const {
  int count = 0;
  along_ray(p, direction, [&](Index f, double) { count += f != skipped; });
  return count;
}

RayHit SurfaceTree::first_hit(const Vec3& p, const Vec3& direction, Index skipped) const {
  RayHit first;
  along_ray(p, direction, [&](Index f, double t) {
    if (f != skipped && (first.triangle < 0 || t < first.distance)) first = {t, f};
  });
  return first;
}

}  // namespace sinew::mesher
