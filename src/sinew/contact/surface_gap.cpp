#include "sinew/contact/surface_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sinew/contact/bvh.h"
#include "sinew/contact/distance.h"

namespace sinew {
namespace {

struct TriangleCorners {
  Vec3 p[3];
  TriangleCorners(const Points& x, const Triangles& triangles, Index t) {
    for (int k = 0; k < 3; ++k) p[k] = x.col(triangles(k, t));
  }
};

// Of two triangles: six pairs of a vertex and a face, nine of two edges.
double distance2(const TriangleCorners& a, const TriangleCorners& b) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    least = std::min(least, point_triangle_distance2(a.p[k], b.p[0], b.p[1], b.p[2]));
    least = std::min(least, point_triangle_distance2(b.p[k], a.p[0], a.p[1], a.p[2]));
    for (int j = 0; j < 3; ++j)
      least = std::min(least, edge_edge_distance2(a.p[k], a.p[(k + 1) % 3], b.p[j], b.p[(j + 1) % 3]));
  }
  return least;
}

FloatBox box_around(const TriangleCorners& c, double margin) {
  FloatBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax({c.p[0][axis], c.p[1][axis], c.p[2][axis]});
    box.low[axis] = float_below(low - margin);
    box.high[axis] = float_above(high + margin);
  }
  return box;
}

}  // namespace

double surface_gap(const Points& x, const Triangles& a, const Triangles& b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (a.cols() == 0 || b.cols() == 0) return infinity;
  std::vector<FloatBox> boxes;
  for (Index t = 0; t < b.cols(); ++t) boxes.push_back(box_around(TriangleCorners(x, b, t), 0));
  Bvh tree;
  tree.build(boxes);
  // Only boxes within the smallest distance so far can hold a nearer triangle.
  double least2 = infinity;
  for (Index t = 0; t < a.cols(); ++t) {
    const TriangleCorners own(x, a, t);
    tree.query(box_around(own, std::sqrt(least2)), 0, [&](std::size_t position) {
      least2 = std::min(least2, distance2(own, TriangleCorners(x, b, tree.order()[position])));
    });
  }
  return std::sqrt(least2);
}

}  // namespace sinew
