#include "sinew/mesh/surface.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

template <class Elements>
Index vertex_bound(const Elements& elements) {
  return elements.size() ? elements.maxCoeff() + 1 : 0;
}

TetFace make_face(const Tets& tets, Index t, int local) {
  const auto& corner = tet_faces[local];
  Index a = tets(corner[0], t), b = tets(corner[1], t), c = tets(corner[2], t);
  if (a > b) std::swap(a, b);
  if (b > c) std::swap(b, c);
  if (a > b) std::swap(a, b);
  return {a, b, c, std::int64_t{4} * t + local};
}

// Edges from a list of (first, second) pairs with first < second: buckets by the first vertex, sorted within.
template <class Visit>
Edges collect_edges(Index vertices, Visit&& for_each_pair) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(vertices) + 1, 0);
  for_each_pair([&](Index a, Index) { ++offsets[a + 1]; });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Index> second(offsets.back());
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  for_each_pair([&](Index a, Index b) { second[next[a]++] = b; });

  std::int64_t count = 0;
  for (Index v = 0; v < vertices; ++v) {
    const auto begin = second.begin() + offsets[v], end = second.begin() + offsets[v + 1];
    std::sort(begin, end);
    next[v] = std::unique(begin, end) - begin;
    count += next[v];
  }
  Edges edges(2, count);
  std::int64_t e = 0;
  for (Index v = 0; v < vertices; ++v) {
    for (std::int64_t k = 0; k < next[v]; ++k) edges.col(e++) << v, second[offsets[v] + k];
  }
  return edges;
}

template <class Elements, std::size_t N>
Edges edges_of(const Elements& elements, const std::array<std::array<int, 2>, N>& local) {
  return collect_edges(vertex_bound(elements), [&](auto&& visit) {
    for (Eigen::Index t = 0; t < elements.cols(); ++t) {
      for (const auto& [i, j] : local) {
        const Index a = elements(i, t), b = elements(j, t);
        visit(std::min(a, b), std::max(a, b));
      }
    }
  });
}

template <class Elements>
std::vector<Index> used_of(const Elements& elements) {
  std::vector<char> used(vertex_bound(elements), 0);
  for (Eigen::Index i = 0; i < elements.size(); ++i) used[elements.data()[i]] = 1;
  std::vector<Index> ids;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v]) ids.push_back(static_cast<Index>(v));
  }
  return ids;
}

template <class Elements>
Incidence incidence_of(const Elements& elements, Index vertex_count) {
  Incidence result;
  result.offsets.assign(static_cast<std::size_t>(vertex_count) + 1, 0);
  for (Eigen::Index i = 0; i < elements.size(); ++i) ++result.offsets[elements.data()[i] + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.items.resize(elements.size());
  std::vector<Index> next(result.offsets.begin(), result.offsets.end() - 1);
  for (Eigen::Index t = 0; t < elements.cols(); ++t) {
    for (int i = 0; i < elements.rows(); ++i) result.items[next[elements(i, t)]++] = static_cast<Index>(t);
  }
  return result;
}

Index find_root(std::vector<Index>& parent, Index v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

template <class Elements>
Components components_of(const Elements& elements) {
  std::vector<Index> parent(vertex_bound(elements));
  std::iota(parent.begin(), parent.end(), Index{0});
  for (Eigen::Index t = 0; t < elements.cols(); ++t) {
    const Index root = find_root(parent, elements(0, t));
    for (int i = 1; i < elements.rows(); ++i) parent[find_root(parent, elements(i, t))] = root;
  }
  Components result;
  result.labels.resize(elements.cols());
  std::vector<Index> label(parent.size(), -1);
  for (Eigen::Index t = 0; t < elements.cols(); ++t) {
    Index& mine = label[find_root(parent, elements(0, t))];
    if (mine < 0) mine = result.count++;
    result.labels[t] = mine;
  }
  return result;
}

}  // namespace

std::vector<TetFace> sorted_faces(const Tets& tets) {
  const Index vertices = vertex_bound(tets);
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(vertices) + 1, 0);
  for (Eigen::Index t = 0; t < tets.cols(); ++t) {
    for (int i = 0; i < 4; ++i) ++offsets[make_face(tets, static_cast<Index>(t), i).a + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<TetFace> faces(static_cast<std::size_t>(4 * tets.cols()));
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  for (Eigen::Index t = 0; t < tets.cols(); ++t) {
    for (int i = 0; i < 4; ++i) {
      const TetFace face = make_face(tets, static_cast<Index>(t), i);
      faces[next[face.a]++] = face;
    }
  }
  parallel_for(vertices, [&](std::size_t v) {
    std::sort(faces.begin() + offsets[v], faces.begin() + offsets[v + 1], [](const TetFace& l, const TetFace& r) {
      return l.b != r.b ? l.b < r.b : l.c != r.c ? l.c < r.c : l.face < r.face;
    });
  });
  return faces;
}

int face_parity(const Tets& tets, Index t, int local) {
  const auto& corner = tet_faces[local];
  const Index a = tets(corner[0], t), b = tets(corner[1], t), c = tets(corner[2], t);
  const int inversions = (a > b) + (a > c) + (b > c);
  return inversions % 2 ? -1 : 1;
}

Tets tet_neighbours(const Tets& tets) {
  return tet_neighbours(tets, sorted_faces(tets));
}

Tets tet_neighbours(const Tets& tets, const std::vector<TetFace>& faces) {
  Tets neighbours = Tets::Constant(4, tets.cols(), -1);
  for (std::size_t i = 0; i + 1 < faces.size();) {
    if (!faces[i].same_vertices(faces[i + 1])) {
      ++i;
      continue;
    }
    neighbours(faces[i].local(), faces[i].tet()) = faces[i + 1].tet();
    neighbours(faces[i + 1].local(), faces[i + 1].tet()) = faces[i].tet();
    const std::size_t first = i;
    while (i < faces.size() && faces[i].same_vertices(faces[first])) ++i;
  }
  return neighbours;
}

Triangles boundary_triangles(const Tets& tets) {
  const std::vector<TetFace> faces = sorted_faces(tets);
  std::vector<char> boundary(faces.size(), 0);
  Eigen::Index count = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const bool shared = (i > 0 && faces[i].same_vertices(faces[i - 1])) ||
                        (i + 1 < faces.size() && faces[i].same_vertices(faces[i + 1]));
    if (shared) continue;
    boundary[faces[i].face] = 1;
    ++count;
  }
  Triangles triangles(3, count);
  Eigen::Index f = 0;
  for (std::size_t k = 0; k < boundary.size(); ++k) {
    if (!boundary[k]) continue;
    const auto& corner = tet_faces[k % 4];
    const auto t = static_cast<Eigen::Index>(k / 4);
    triangles.col(f++) << tets(corner[0], t), tets(corner[1], t), tets(corner[2], t);
  }
  return triangles;
}

Edges unique_edges(const Triangles& triangles) {
  constexpr std::array<std::array<int, 2>, 3> local = {{{0, 1}, {1, 2}, {2, 0}}};
  return edges_of(triangles, local);
}

Edges unique_edges(const Tets& tets) {
  return edges_of(tets, tet_edges);
}

std::vector<Index> used_vertices(const Triangles& triangles) {
  return used_of(triangles);
}
std::vector<Index> used_vertices(const Tets& tets) {
  return used_of(tets);
}

Incidence vertex_tets(const Tets& tets, Index vertex_count) {
  return incidence_of(tets, vertex_count);
}
Incidence vertex_triangles(const Triangles& triangles, Index vertex_count) {
  return incidence_of(triangles, vertex_count);
}

Components connected_components(const Tets& tets) {
  return components_of(tets);
}
Components connected_components(const Triangles& triangles) {
  return components_of(triangles);
}

TriMesh compacted(const Points& vertices, const Triangles& triangles) {
  const std::vector<Index> used = used_vertices(triangles);
  TriMesh mesh;
  mesh.vertices.resize(3, static_cast<Eigen::Index>(used.size()));
  std::vector<Index> renumbered(vertices.cols(), -1);
  for (std::size_t i = 0; i < used.size(); ++i) {
    mesh.vertices.col(static_cast<Eigen::Index>(i)) = vertices.col(used[i]);
    renumbered[used[i]] = static_cast<Index>(i);
  }
  mesh.triangles = triangles.unaryExpr([&](Index v) { return renumbered[v]; });
  return mesh;
}

std::vector<Index> used_vertices(const TetMesh& mesh) {
  return mesh.is_cloth() ? used_vertices(mesh.triangles) : used_vertices(mesh.tets);
}

double pressed_area(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& direction) {
  return std::max(0.0, -(b - a).cross(c - a).dot(direction) / 2);
}

bool encloses_volume(const Triangles& triangles) {
  std::map<std::pair<Index, Index>, int> balance;
  for (Index f = 0; f < triangles.cols(); ++f)
    for (int k = 0; k < 3; ++k) {
      const Index a = triangles(k, f), b = triangles((k + 1) % 3, f);
      balance[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  return triangles.cols() > 0 && std::ranges::all_of(balance, [](const auto& entry) { return entry.second == 0; });
}

}  // namespace sinew
