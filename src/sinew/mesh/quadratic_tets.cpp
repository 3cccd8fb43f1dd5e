#include "sinew/mesh/quadratic_tets.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/sort_unique.h"
#include "sinew/core/tet_topology.h"
#include "sinew/mesh/quadratic_jacobian.h"

namespace sinew {
namespace {

using Edge = std::pair<Index, Index>;  // smaller end first

// The edges of linear tets, and the number of the node on each.
class EdgeNodes {
 public:
  EdgeNodes(const Tets& tets, Index first) : first_(first) {
    edges_.reserve(std::size_t{6} * tets.cols());
    for (Index t = 0; t < tets.cols(); ++t)
      for (const auto& [i, j] : quadratic_tet_edges) edges_.push_back(std::minmax({tets(i, t), tets(j, t)}));
    sort_unique(edges_);
  }

  const std::vector<Edge>& edges() const { return edges_; }

  // -1: it is no edge.
  Index node(Index a, Index b) const {
    const Edge edge = std::minmax({a, b});
    const auto at = std::ranges::lower_bound(edges_, edge);
    return at == edges_.end() || *at != edge ? -1 : first_ + static_cast<Index>(at - edges_.begin());
  }

 private:
  Index first_;
  std::vector<Edge> edges_;
};

// Appends the midpoints of all edges.
void append_midpoints(const EdgeNodes& nodes, Points& vertices) {
  const Index first = static_cast<Index>(vertices.cols());
  vertices.conservativeResize(3, first + static_cast<Index>(nodes.edges().size()));
  for (std::size_t k = 0; k < nodes.edges().size(); ++k) {
    const auto& [a, b] = nodes.edges()[k];
    vertices.col(first + static_cast<Index>(k)) = 0.5 * (vertices.col(a) + vertices.col(b));
  }
}

QuadraticTets with_nodes(const Tets& tets, const EdgeNodes& nodes) {
  QuadraticTets result(10, tets.cols());
  for (Index t = 0; t < tets.cols(); ++t) {
    result.col(t).head<4>() = tets.col(t);
    for (int e = 0; e < 6; ++e)
      result(4 + e, t) = nodes.node(tets(quadratic_tet_edges[e][0], t), tets(quadratic_tet_edges[e][1], t));
  }
  return result;
}

void require_positive(const TetMesh& mesh) {
  for (Index t = 0; t < mesh.quadratic.cols(); ++t) {
    if (is_positive(corner_jacobians(mesh.vertices, mesh.quadratic.col(t).data()))) continue;
    fail_input(code::mesh_folded,
               "ten-node tet {} folds over at its curved edges: its Jacobian is not positive everywhere; move its "
               "mid-nodes towards the middles of the edges, or mesh finer",
               t);
  }
}

// Appends the nodes of the edges whose ends are both among `vertices` (ascending).
void append_between(const EdgeNodes& nodes, std::vector<Index>& vertices) {
  if (vertices.empty()) return;
  const auto has = [&, last = vertices.size()](Index v) {
    return std::binary_search(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(last), v);
  };
  for (const auto& [a, b] : nodes.edges())
    if (has(a) && has(b)) vertices.push_back(nodes.node(a, b));
}

// Four triangles of each whose edges have nodes; the others stay.
Triangles divided(const Triangles& triangles, const EdgeNodes& nodes) {
  std::vector<Index> list;
  for (const auto& face : triangles.colwise()) {
    const Index a = face[0], b = face[1], c = face[2];
    const Index ab = nodes.node(a, b), bc = nodes.node(b, c), ca = nodes.node(c, a);
    if (ab < 0 || bc < 0 || ca < 0) {
      list.insert(list.end(), {a, b, c});
    } else {
      list.insert(list.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
    }
  }
  return Eigen::Map<const Triangles>(list.data(), 3, static_cast<Eigen::Index>(list.size() / 3));
}

}  // namespace

QuadraticTets with_mid_nodes(Points& vertices, const Tets& tets) {
  const EdgeNodes nodes(tets, static_cast<Index>(vertices.cols()));
  append_midpoints(nodes, vertices);
  return with_nodes(tets, nodes);
}

double quadratic_tet_volume(const Points& vertices, const QuadraticTets& tets, Index t) {
  // The integral over the unit tet is a sixth of the mean of the Bernstein coefficients.
  const CornerJacobians J = corner_jacobians(vertices, tets.col(t).data());
  double sum = 0;
  for (const auto& [i, j, k] : bernstein_corners()) sum += mixed_discriminant(J[i], J[j], J[k]);
  return sum / (6 * bernstein_corners().size());
}

void make_quadratic(TetMesh& mesh) {
  const auto m = static_cast<std::size_t>(mesh.tet_count());
  const EdgeNodes nodes(mesh.tets, mesh.vertex_count());
  append_midpoints(nodes, mesh.vertices);
  for (const MidNode& mid : mesh.mid_nodes)
    if (const Index v = nodes.node(mid.a, mid.b); v >= 0) mesh.vertices.col(v) = mid.position;
  mesh.mid_nodes.clear();
  mesh.quadratic = with_nodes(mesh.tets, nodes);
  require_positive(mesh);
  mesh.tets = divided(mesh.vertices, mesh.quadratic);
  mesh.regions = repeated_for_parts(mesh.regions, 1);
  for (auto& [name, values] : mesh.cell_fields)
    values = repeated_for_parts(values, values.size() / std::max<std::size_t>(m, 1));
  for (ElementGroup& group : mesh.groups) {
    group.triangles = divided(group.triangles, nodes);
    group.tets = parts_of(group.tets);
    append_between(nodes, group.vertices);
  }
}

std::vector<Index> parts_of(const std::vector<Index>& tets) {
  std::vector<Index> parts;
  parts.reserve(tets.size() * parts_of_quadratic);
  for (const Index t : tets)
    for (int part = 0; part < parts_of_quadratic; ++part) parts.push_back(parts_of_quadratic * t + part);
  return parts;
}

Tets divided(const Points& vertices, const QuadraticTets& tets) {
  constexpr std::array<std::array<int, 4>, 4> at_corners{{{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}}};
  // Each diagonal with the ring of nodes around it, so that the tets are positive where the straight tet is.
  constexpr std::array<std::array<int, 6>, 3> diagonals{{{4, 9, 5, 6, 7, 8}, {5, 7, 8, 9, 6, 4}, {6, 8, 4, 5, 9, 7}}};
  Tets result(4, parts_of_quadratic * tets.cols());
  for (Index t = 0; t < tets.cols(); ++t) {
    const auto node = [&](int k) { return tets(k, t); };
    Index column = parts_of_quadratic * t;
    const auto put = [&](int a, int b, int c, int d) { result.col(column++) << node(a), node(b), node(c), node(d); };
    for (const auto& v : at_corners) put(v[0], v[1], v[2], v[3]);
    const auto length = [&](const std::array<int, 6>& d) {
      return (vertices.col(node(d[0])) - vertices.col(node(d[1]))).norm();
    };
    const auto& d = *std::ranges::min_element(diagonals, {}, length);
    for (int k = 0; k < 4; ++k) put(d[0], d[1], d[2 + k], d[2 + (k + 1) % 4]);
  }
  return result;
}

}  // namespace sinew
