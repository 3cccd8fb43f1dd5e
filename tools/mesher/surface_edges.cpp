#include "surface_edges.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinew::mesher {

SurfaceEdges::SurfaceEdges(const Triangles& triangles) {
  struct Side {
    Index a, b;
    Use use;
  };
  std::vector<Side> sides;
  sides.reserve(static_cast<std::size_t>(3 * triangles.cols()));
  for (Eigen::Index f = 0; f < triangles.cols(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const Index from = triangles(k, f), to = triangles((k + 1) % 3, f);
      sides.push_back({std::min(from, to), std::max(from, to), {static_cast<Index>(f), from < to}});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& s, const Side& t) {
    return std::tie(s.a, s.b, s.use.triangle) < std::tie(t.a, t.b, t.use.triangle);
  });
  uses_.reserve(sides.size());
  for (const Side& side : sides) {
    if (edges_.empty() || edges_.back().a != side.a || edges_.back().b != side.b)
      edges_.push_back({side.a, side.b, uses_.size(), 0});
    ++edges_.back().count;
    uses_.push_back(side.use);
  }
}

Parts edge_parts(const SurfaceEdges& edges, Eigen::Index triangles) {
  std::vector<Index> parent(static_cast<std::size_t>(triangles));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Index f) {
    while (parent[static_cast<std::size_t>(f)] != f) {
      Index& up = parent[static_cast<std::size_t>(f)];
      up = parent[static_cast<std::size_t>(up)];
      f = up;
    }
    return f;
  };
  for (const SurfaceEdges::Edge& edge : edges.edges()) {
    if (edge.count != 2) continue;
    const Index f = root(edges.uses(edge)[0].triangle), g = root(edges.uses(edge)[1].triangle);
    parent[static_cast<std::size_t>(std::max(f, g))] = std::min(f, g);
  }
  Parts parts;
  parts.of.resize(static_cast<std::size_t>(triangles));
  for (Index f = 0; f < triangles; ++f) {
    const Index r = root(f);  // the first triangle of its part
    parts.of[static_cast<std::size_t>(f)] = r == f ? parts.count++ : parts.of[static_cast<std::size_t>(r)];
  }
  return parts;
}

Vec3 triangle_normal(const Points& vertices, const Triangles& triangles, Eigen::Index f) {
  const Vec3 a = vertices.col(triangles(0, f));
  return (vertices.col(triangles(1, f)) - a).cross(vertices.col(triangles(2, f)) - a);
}

double enclosed_volume(const Points& vertices, const Triangles& triangles, std::span<const Index> which,
                       const Vec3& origin) {
  double sum = 0;
  for (const Index f : which)
    sum += (vertices.col(triangles(0, f)) - origin).dot(triangle_normal(vertices, triangles, f));
  return sum / 6;
}

double surface_area(const Points& vertices, const Triangles& triangles) {
  double sum = 0;
  for (Eigen::Index f = 0; f < triangles.cols(); ++f) sum += triangle_normal(vertices, triangles, f).norm();
  return sum / 2;
}

std::vector<std::vector<Index>> triangles_of(const Parts& parts) {
  std::vector<std::vector<Index>> lists(static_cast<std::size_t>(parts.count));
  for (std::size_t f = 0; f < parts.of.size(); ++f)
    lists[static_cast<std::size_t>(parts.of[f])].push_back(static_cast<Index>(f));
  return lists;
}

}  // namespace sinew::mesher
