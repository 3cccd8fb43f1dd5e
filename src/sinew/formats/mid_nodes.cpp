#include "sinew/formats/mid_nodes.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "sinew/core/tet_topology.h"

namespace sinew {
namespace {

template <class Elements>
void keep_corners(const Elements& elements, std::vector<char>& dropped) {
  for (const Index v : elements.reshaped())
    if (v >= 0 && v < static_cast<Index>(dropped.size())) dropped[v] = 0;
}

template <class Elements>
void renumber(const std::vector<Index>& number, Elements& elements) {
  for (Index& v : elements.reshaped())
    if (v >= 0 && v < static_cast<Index>(number.size())) v = number[v];
}

// The node on each edge: the pairs of an edge and a node are taken by their distance.
void add_mid_nodes(const Points& x, const SecondOrderTet& tet, std::vector<MidNode>& out) {
  const auto known = [&](Index v) { return v >= 0 && v < x.cols(); };
  if (!std::ranges::all_of(tet, known)) return;
  std::vector<std::tuple<double, int, int>> pairs;  // distance, edge, node
  for (int e = 0; e < 6; ++e) {
    const auto [i, j] = tet_edges[e];
    const Vec3 middle = 0.5 * (x.col(tet[i]) + x.col(tet[j]));
    for (int k = 4; k < 10; ++k) pairs.emplace_back((x.col(tet[k]) - middle).norm(), e, k);
  }
  std::ranges::sort(pairs);
  std::array<bool, 6> edge_taken{};
  std::array<bool, 10> node_taken{};
  for (const auto& [distance, e, k] : pairs) {
    if (edge_taken[e] || node_taken[k]) continue;
    edge_taken[e] = node_taken[k] = true;
    const auto [a, b] = std::minmax(tet[tet_edges[e][0]], tet[tet_edges[e][1]]);
    out.push_back({a, b, x.col(tet[k])});
  }
}

void sort_mid_nodes(std::vector<MidNode>& nodes) {
  const auto edge = [](const MidNode& n) { return std::pair(n.a, n.b); };
  std::ranges::stable_sort(nodes, {}, edge);
  const auto same = [&](const MidNode& a, const MidNode& b) { return edge(a) == edge(b); };
  nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
}

}  // namespace

QuadraticTets ten_node_tets(const TetMesh& mesh) {
  if (mesh.mid_nodes.empty()) return QuadraticTets(10, 0);
  QuadraticTets result(10, mesh.tets.cols());
  const auto edge = [](const MidNode& n) { return std::pair(n.a, n.b); };
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    result.col(t).head<4>() = mesh.tets.col(t);
    for (std::size_t e = 0; e < 6; ++e) {
      const auto [i, j] = quadratic_tet_edges[e];
      const std::pair<Index, Index> ends = std::minmax({mesh.tets(i, t), mesh.tets(j, t)});
      const auto at = std::ranges::lower_bound(mesh.mid_nodes, ends, {}, edge);
      if (at == mesh.mid_nodes.end() || edge(*at) != ends) return QuadraticTets(10, 0);
      result(4 + static_cast<Eigen::Index>(e), t) =
          mesh.vertex_count() + static_cast<Index>(at - mesh.mid_nodes.begin());
    }
  }
  return result;
}

std::vector<Index> with_nodes_between(const TetMesh& mesh, const std::vector<Index>& vertices) {
  std::vector<Index> all = vertices;
  const auto has = [&](Index v) { return std::ranges::binary_search(vertices, v); };
  for (std::size_t k = 0; k < mesh.mid_nodes.size(); ++k)
    if (has(mesh.mid_nodes[k].a) && has(mesh.mid_nodes[k].b))
      all.push_back(mesh.vertex_count() + static_cast<Index>(k));
  return all;
}

Index drop_mid_nodes(MeshFile& file) {
  TetMesh& mesh = file.volume;
  const Index count = mesh.vertex_count();
  for (const SecondOrderTet& tet : file.second_order) add_mid_nodes(mesh.vertices, tet, mesh.mid_nodes);
  sort_mid_nodes(mesh.mid_nodes);
  file.second_order.clear();
  std::vector<char> dropped(count, 0);
  for (const Index v : file.mid_nodes)
    if (v >= 0 && v < count) dropped[v] = 1;
  keep_corners(mesh.tets, dropped);
  keep_corners(file.triangles, dropped);
  for (const ElementGroup& group : mesh.groups) keep_corners(group.triangles, dropped);
  std::vector<Index> number(count);
  Index kept = 0;
  for (Index v = 0; v < count; ++v) {
    number[v] = kept;
    if (!dropped[v]) mesh.vertices.col(kept++) = mesh.vertices.col(v).eval();
  }
  file.mid_nodes.clear();
  if (kept == count) return 0;
  mesh.vertices.conservativeResize(3, kept);
  renumber(number, mesh.tets);
  renumber(number, file.triangles);
  for (ElementGroup& group : mesh.groups) {
    renumber(number, group.triangles);
    std::erase_if(group.vertices, [&](Index v) { return dropped[static_cast<std::size_t>(v)] != 0; });
    for (Index& v : group.vertices) v = number[v];
  }
  for (MidNode& node : mesh.mid_nodes) node.a = number[node.a], node.b = number[node.b];
  return count - kept;
}

}  // namespace sinew
