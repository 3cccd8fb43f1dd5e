#include "sinew/reduced/coarse_surface.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <queue>

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

constexpr Index least_samples = 4;  // of a body: a tetrahedron

// The fine surface of one body, in numbers of its own.
struct BodySurface {
  std::vector<Index> vertex;                              // of the system
  std::vector<double> area;                               // of each
  std::vector<std::vector<std::pair<Index, double>>> to;  // neighbours and lengths
  double total = 0;
};

// The surface of each body as a graph: vertices with their areas [m^2], edges with rest lengths [m]. number: by
// vertex of the system, its place in the body's list.
std::vector<BodySurface> body_surfaces(const System& system, std::vector<Index>& number) {
  const CollisionMesh& fine = system.collision;
  std::vector<BodySurface> surfaces(system.bodies.size());
  number.assign(system.vertex_count(), -1);
  for (std::size_t i = 0; i < fine.vertices.size(); ++i) {
    const Index v = fine.vertices[i];
    if (fine.kinematic(v)) continue;
    BodySurface& surface = surfaces[fine.vertex_owner[v]];
    number[v] = static_cast<Index>(surface.vertex.size());
    surface.vertex.push_back(v);
    surface.area.push_back(fine.vertex_area[i]);
    surface.total += fine.vertex_area[i];
  }
  for (BodySurface& surface : surfaces) surface.to.resize(surface.vertex.size());
  for (Eigen::Index e = 0; e < fine.edges.cols(); ++e) {
    const Index a = fine.edges(0, e), b = fine.edges(1, e);
    if (fine.kinematic(a)) continue;
    const double length = std::sqrt(fine.edge_rest_length2[e]);
    BodySurface& surface = surfaces[fine.vertex_owner[a]];
    surface.to[number[a]].emplace_back(number[b], length);
    surface.to[number[b]].emplace_back(number[a], length);
  }
  return surfaces;
}

// Voronoi cells on the surface graph, one source more: Dijkstra's algorithm from the source, which enters only
// vertices that come nearer than their present distance.
void spread(const BodySurface& surface, Index source, Index cell_of_source, std::vector<double>& distance,
            std::vector<Index>& cell) {
  using Entry = std::pair<double, Index>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distance[source] = 0;
  cell[source] = cell_of_source;
  queue.emplace(0.0, source);
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (d > distance[v] || cell[v] != cell_of_source) continue;
    for (const auto& [w, length] : surface.to[v]) {
      if (d + length >= distance[w]) continue;
      distance[w] = d + length;
      cell[w] = cell_of_source;
      queue.emplace(d + length, w);
    }
  }
}

// Farthest-point sampling of a body's surface: each sample lowers the distances around it and takes the vertices that
// are now nearest to it; the next one lies at the vertex of the largest distance. A surface of `count` vertices is
// itself. Appends the samples' vertices, and returns for each vertex of the surface the sample in whose cell it is (-1:
// none reaches it).
std::vector<Index> sample_surface(const BodySurface& surface, Index count, std::vector<Index>& samples) {
  const auto there = static_cast<Index>(surface.vertex.size()), first = static_cast<Index>(samples.size());
  std::vector<Index> cell(there, -1);
  if (count == there) {
    std::iota(cell.begin(), cell.end(), first);
    samples.insert(samples.end(), surface.vertex.begin(), surface.vertex.end());
    return cell;
  }
  std::vector<double> distance(there, std::numeric_limits<double>::infinity());
  Index next = 0;
  for (Index s = 0; s < count; ++s) {
    spread(surface, next, first + s, distance, cell);
    samples.push_back(surface.vertex[next]);
    next = static_cast<Index>(std::ranges::max_element(distance) - distance.begin());
  }
  return cell;
}

// The dual of the cells of a body: a triangle for each three cells that meet in a fine triangle, each once, oriented
// like the first fine triangle that made it.
Triangles dual_triangles(const CollisionMesh& fine, const BodySurface& surface, const std::vector<Index>& number,
                         const std::vector<Index>& cell) {
  std::map<std::array<Index, 3>, std::array<Index, 3>> found;  // sorted -> as wound
  for (Eigen::Index f = 0; f < fine.triangles.cols(); ++f) {
    if (fine.kinematic(fine.triangles(0, f)) ||
        fine.vertex_owner[fine.triangles(0, f)] != fine.vertex_owner[surface.vertex[0]])
      continue;
    std::array<Index, 3> corner{};
    for (int k = 0; k < 3; ++k) corner[k] = cell[number[fine.triangles(k, f)]];
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
    std::array<Index, 3> key = corner;
    std::ranges::sort(key);
    found.emplace(key, corner);
  }
  Triangles dual(3, static_cast<Eigen::Index>(found.size()));
  Eigen::Index f = 0;
  for (const auto& [key, corner] : found) dual.col(f++) = Eigen::Map<const Eigen::Matrix<Index, 3, 1>>(corner.data());
  return dual;
}

// The obstacles as they are, whose vertices follow the samples: appends these vertices, and returns the triangles.
Triangles append_obstacles(const System& system, CoarseSurface& coarse) {
  const CollisionMesh& fine = system.collision;
  const Index first = system.body_vertex_count();
  for (Index v = first; v < system.vertex_count(); ++v) coarse.vertex.push_back(v);
  Triangles triangles(3, fine.triangles.cols());
  Eigen::Index kept = 0;
  for (Eigen::Index f = 0; f < fine.triangles.cols(); ++f) {
    if (!fine.kinematic(fine.triangles(0, f))) continue;
    triangles.col(kept++) = fine.triangles.col(f).array() + (coarse.sample_count - first);
  }
  return triangles.leftCols(kept);
}

Triangles joined(const std::vector<Triangles>& parts) {
  Eigen::Index count = 0;
  for (const Triangles& part : parts) count += part.cols();
  Triangles all(3, count);
  count = 0;
  for (const Triangles& part : parts) {
    all.middleCols(count, part.cols()) = part;
    count += part.cols();
  }
  return all;
}

// Edges, vertices and what they are of, for the triangles of the mesh. Samples without a triangle take part in contact
// with planes.
void set_topology(const CollisionMesh& fine, CoarseSurface& coarse) {
  CollisionMesh& mesh = coarse.mesh;
  mesh.edges = unique_edges(mesh.triangles);
  for (const Index v : coarse.vertex) {
    mesh.vertex_owner.push_back(fine.vertex_owner[v]);
    mesh.vertex_material.push_back(fine.vertex_material[v]);
  }
  mesh.vertices = used_vertices(mesh.triangles);
  for (Index v = 0; v < coarse.sample_count; ++v)
    if (!std::ranges::binary_search(mesh.vertices, v)) mesh.vertices.push_back(v);
  std::ranges::sort(mesh.vertices);
}

// Areas of vertices: of cells, or of the fine obstacle. Areas and rest lengths of edges as in the fine mesh, a third of
// each triangle beside the edge.
void set_measures(const System& system, const std::vector<double>& cell_area, CoarseSurface& coarse) {
  const CollisionMesh& fine = system.collision;
  CollisionMesh& mesh = coarse.mesh;
  std::vector<double> fine_area(system.vertex_count(), 0);
  for (std::size_t i = 0; i < fine.vertices.size(); ++i) fine_area[fine.vertices[i]] = fine.vertex_area[i];
  for (const Index v : mesh.vertices)
    mesh.vertex_area.push_back(v < coarse.sample_count ? cell_area[v] : fine_area[coarse.vertex[v]]);
  const auto rest = [&](Index v) { return Vec3(system.rest.col(coarse.vertex[v])); };
  std::map<std::pair<Index, Index>, double> edge_area;
  for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) {
    const Vec3 a = rest(mesh.triangles(0, f));
    const double third = (rest(mesh.triangles(1, f)) - a).cross(rest(mesh.triangles(2, f)) - a).norm() / 6;
    for (int k = 0; k < 3; ++k) edge_area[std::minmax({mesh.triangles(k, f), mesh.triangles((k + 1) % 3, f)})] += third;
  }
  for (Eigen::Index e = 0; e < mesh.edges.cols(); ++e) {
    mesh.edge_area.push_back(edge_area[{mesh.edges(0, e), mesh.edges(1, e)}]);
    mesh.edge_rest_length2.push_back((rest(mesh.edges(0, e)) - rest(mesh.edges(1, e))).squaredNorm());
  }
}

// Who may touch whom, but no body itself that is coarser: such a surface may well intersect itself at rest. is_whole:
// by owner, whether its surface is the fine one.
void set_pairs(const CollisionMesh& fine, const std::vector<char>& is_whole, CollisionMesh& mesh) {
  mesh.owner_count = fine.owner_count;
  mesh.owner_names = fine.owner_names;
  mesh.may_touch = fine.may_touch;
  mesh.owner_offset = fine.owner_offset;
  for (Index owner = 0; owner < mesh.owner_count; ++owner)
    if (!is_whole[owner]) mesh.may_touch[static_cast<std::size_t>(owner) * mesh.owner_count + owner] = 0;
  mesh.material_count = fine.material_count;
  mesh.friction = fine.friction;
  mesh.planes = fine.planes;
}

}  // namespace

bool may_touch_others(const System& system) {
  const CollisionMesh& fine = system.collision;
  for (Index a = 0; a < fine.owner_count; ++a)
    for (Index b = 0; b < a; ++b)
      if (fine.owners_may_touch(a, b)) return true;
  return false;
}

bool CoarseSurface::may_touch() const {
  return std::ranges::any_of(mesh.may_touch, [](char pair) { return pair != 0; });
}

std::vector<PointRow> CoarseSurface::rows() const {
  std::vector<PointRow> rows;
  for (Index s = 0; s < sample_count; ++s) rows.push_back({{vertex[s], 1.0}});
  return rows;
}

// The surface on which contact acts in a subspace, through samples that follow y:
//
// 1. Each body's share of the samples, by area.
// 2. Farthest-point sampling along the edges of the surface: the next sample is the vertex with the largest distance.
// 3. The area of a sample: that of its Voronoi cell.
// 4. Triangles: the dual of the cells, one for each three cells that meet in a fine triangle.
// 5. Obstacles as they are.
// 6. Edges, and areas and rest lengths as in the fine mesh. Contact weights are areas (theory, section 3, "Barrier"),
//    so that pressures do not depend on the number of samples.
// 7. Who may touch whom.
CoarseSurface make_coarse_surface(const System& system, Index samples) {
  const CollisionMesh& fine = system.collision;
  if (samples == 0) samples = automatic_samples;
  std::vector<Index> number;
  const std::vector<BodySurface> surfaces = body_surfaces(system, number);
  double whole = 0;
  for (const BodySurface& surface : surfaces) whole += surface.total;

  CoarseSurface coarse;
  std::vector<Triangles> triangles;
  std::vector<double> cell_area;
  std::vector<char> is_whole(fine.owner_count, 0);
  for (const BodySurface& surface : surfaces) {
    // Step 1.
    const auto there = static_cast<Index>(surface.vertex.size());
    const auto wanted = static_cast<Index>(static_cast<double>(samples) * surface.total / whole + 0.5);
    const Index count = std::min(there, std::max(least_samples, wanted));
    const Index first = static_cast<Index>(coarse.vertex.size());
    if (count == there && there > 0) is_whole[fine.vertex_owner[surface.vertex[0]]] = 1;
    // Step 2.
    const std::vector<Index> cell = sample_surface(surface, count, coarse.vertex);
    // Step 3. Vertices that no sample reaches count to the first.
    cell_area.resize(coarse.vertex.size(), 0);
    for (Index v = 0; v < there; ++v) cell_area[cell[v] < 0 ? first : cell[v]] += surface.area[v];
    // Step 4.
    triangles.push_back(dual_triangles(fine, surface, number, cell));
  }
  // Step 5.
  coarse.sample_count = static_cast<Index>(coarse.vertex.size());
  triangles.push_back(append_obstacles(system, coarse));

  // Steps 6 and 7.
  coarse.mesh.dynamic_count = coarse.sample_count;
  coarse.mesh.triangles = joined(triangles);
  set_topology(fine, coarse);
  set_measures(system, cell_area, coarse);
  set_pairs(fine, is_whole, coarse.mesh);
  return coarse;
}

// The fine surface in the place of a coarse one, for subspace "full".
CoarseSurface whole_surface(const System& system) {
  CoarseSurface surface;
  surface.mesh = system.collision;
  surface.vertex.resize(static_cast<std::size_t>(system.vertex_count()));
  std::iota(surface.vertex.begin(), surface.vertex.end(), Index{0});
  surface.sample_count = system.dynamic_count;
  return surface;
}

}  // namespace sinew
