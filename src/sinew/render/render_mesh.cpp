#include "sinew/render/render_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <tuple>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

const double least_cosine = std::cos(45 * std::numbers::pi / 180);

Vec3 area_vector(const Points& x, const auto& triangle) {
  const Vec3 a = x.col(triangle[0]);
  return (x.col(triangle[1]) - a).cross(x.col(triangle[2]) - a);
}

// An edge of a triangle, by its vertices; corner: 3 triangle + local number of its first corner.
struct CornerEdge {
  Index low, high, corner;
};

std::vector<CornerEdge> sorted_edges(const Triangles& triangles) {
  std::vector<CornerEdge> edges;
  edges.reserve(static_cast<std::size_t>(triangles.size()));
  for (Index f = 0; f < triangles.cols(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const Index a = triangles(k, f), b = triangles((k + 1) % 3, f);
      edges.push_back({std::min(a, b), std::max(a, b), 3 * f + k});
    }
  }
  parallel_sort(edges.begin(), edges.end(), [](const CornerEdge& a, const CornerEdge& b) {
    return std::tie(a.low, a.high, a.corner) < std::tie(b.low, b.high, b.corner);
  });
  return edges;
}

// Corners that are drawn as one vertex.
class CornerSets {
 public:
  explicit CornerSets(Eigen::Index count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  Index root(Index c) {
    while (parent_[c] != c) c = parent_[c] = parent_[parent_[c]];
    return c;
  }
  void join(Index a, Index b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Index> parent_;
};

}  // namespace

RenderMesh::RenderMesh(const Points& rest, const Triangles& triangles, const std::vector<Index>& kinds)
    : corners_(3, triangles.cols()) {
  CornerSets sets(triangles.size());
  const std::vector<CornerEdge> edges = sorted_edges(triangles);
  const auto corner_at = [&](Index corner, Index vertex) {  // of the edge that begins at `corner`
    return triangles(corner % 3, corner / 3) == vertex ? corner : corner / 3 * 3 + (corner + 1) % 3;
  };
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high) ++end;
    const Index a = edges[i].corner, b = edges[end - 1].corner;
    if (end - i == 2) {
      const Vec3 one = area_vector(rest, triangles.col(a / 3)), other = area_vector(rest, triangles.col(b / 3));
      if (one.dot(other) > least_cosine * one.norm() * other.norm())
        for (const Index v : {edges[i].low, edges[i].high}) sets.join(corner_at(a, v), corner_at(b, v));
    }
    i = end;
  }
  std::map<std::pair<Index, Index>, Index> number;  // by set of corners and kind
  std::vector<Index> first(static_cast<std::size_t>(triangles.size()), -1);
  for (Index c = 0; c < triangles.size(); ++c) {
    const Index root = sets.root(c), kind = kinds.empty() ? 0 : kinds[c];
    const auto next = static_cast<Index>(vertices_.size());
    // Without kinds there is one drawn vertex for each set.
    const Index own =
        kinds.empty() ? (first[root] < 0 ? next : first[root]) : number.try_emplace({root, kind}, next).first->second;
    if (first[root] < 0) first[root] = own;
    if (own == next) {
      vertices_.push_back(triangles.data()[c]);
      smooth_.push_back(first[root]);
      if (!kinds.empty()) kinds_.push_back(kind);
    }
    corners_.data()[c] = own;
  }
  begin_.assign(vertices_.size() + 1, 0);
  for (const Index v : corners_.reshaped()) ++begin_[smooth_[v] + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  around_.resize(static_cast<std::size_t>(corners_.size()));
  std::vector<Index> next(begin_.begin(), begin_.end() - 1);
  for (Index c = 0; c < corners_.size(); ++c) around_[next[smooth_[corners_.data()[c]]]++] = c / 3;
}

Points RenderMesh::normals(const Points& positions) const {
  Points faces(3, corners_.cols());
  parallel_for(static_cast<std::size_t>(corners_.cols()), [&](std::size_t f) {
    const auto corners = corners_.col(static_cast<Index>(f));
    faces.col(static_cast<Index>(f)) = area_vector(
        positions, std::array<Index, 3>{vertices_[corners[0]], vertices_[corners[1]], vertices_[corners[2]]});
  });
  Points result(3, static_cast<Eigen::Index>(vertices_.size()));
  parallel_for(vertices_.size(), [&](std::size_t v) {
    Vec3 sum = Vec3::Zero();
    const Index own = smooth_[v];
    for (Index k = begin_[own]; k < begin_[own + 1]; ++k) sum += faces.col(around_[k]);
    const double length = sum.norm();
    result.col(static_cast<Index>(v)) = length > 0 ? Vec3(sum / length) : Vec3(0, 0, 1);
  });
  return result;
}

}  // namespace sinew
