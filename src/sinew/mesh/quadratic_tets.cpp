#include "sinew/mesh/quadratic_tets.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sinew/core/sort_unique.h"
#include "sinew/core/tet_topology.h"

namespace sinew {

QuadraticTets with_mid_nodes(Points& vertices, const Tets& tets) {
  using Edge = std::pair<Index, Index>;
  const auto edge_of = [&](Index t, int e) -> Edge {
    return std::minmax({tets(quadratic_tet_edges[e][0], t), tets(quadratic_tet_edges[e][1], t)});
  };
  std::vector<Edge> edges;
  edges.reserve(std::size_t{6} * tets.cols());
  for (Index t = 0; t < tets.cols(); ++t)
    for (int e = 0; e < 6; ++e) edges.push_back(edge_of(t, e));
  sort_unique(edges);
  const Index first = static_cast<Index>(vertices.cols());
  vertices.conservativeResize(3, first + static_cast<Index>(edges.size()));
  for (std::size_t k = 0; k < edges.size(); ++k)
    vertices.col(first + static_cast<Index>(k)) = 0.5 * (vertices.col(edges[k].first) + vertices.col(edges[k].second));
  QuadraticTets result(10, tets.cols());
  for (Index t = 0; t < tets.cols(); ++t) {
    result.col(t).head<4>() = tets.col(t);
    for (int e = 0; e < 6; ++e)
      result(4 + e, t) = first + static_cast<Index>(std::ranges::lower_bound(edges, edge_of(t, e)) - edges.begin());
  }
  return result;
}

Tets divided(const Points& vertices, const QuadraticTets& tets) {
  constexpr std::array<std::array<int, 4>, 4> at_corners{{{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}}};
  // Each diagonal with the ring of nodes around it.
  constexpr std::array<std::array<int, 6>, 3> diagonals{{{4, 9, 5, 6, 7, 8}, {5, 7, 4, 6, 9, 8}, {6, 8, 4, 5, 9, 7}}};
  Tets result(4, 8 * tets.cols());
  const auto put = [&](Index column, Index a, Index b, Index c, Index d) {
    const Vec3 x = vertices.col(a);
    const double volume = (vertices.col(b) - x).cross(vertices.col(c) - x).dot(vertices.col(d) - x);
    if (volume < 0) std::swap(c, d);
    result.col(column) << a, b, c, d;
  };
  for (Index t = 0; t < tets.cols(); ++t) {
    const auto node = [&](int k) { return tets(k, t); };
    Index column = 8 * t;
    for (const auto& v : at_corners) put(column++, node(v[0]), node(v[1]), node(v[2]), node(v[3]));
    const auto length = [&](const std::array<int, 6>& d) {
      return (vertices.col(node(d[0])) - vertices.col(node(d[1]))).norm();
    };
    const auto& d = *std::ranges::min_element(diagonals, {}, length);
    for (int k = 0; k < 4; ++k) put(column++, node(d[0]), node(d[1]), node(d[2 + k]), node(d[2 + (k + 1) % 4]));
  }
  return result;
}

}  // namespace sinew
