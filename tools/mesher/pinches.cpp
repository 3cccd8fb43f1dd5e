#include "pinches.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "surface_checks.h"
#include "surface_edges.h"

#include "sinew/core/log.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesher {
namespace {

// The fans of triangles around a vertex, joined by the edges that they share there.
std::size_t fan_count(Index v, const Triangles& triangles, const Incidence& around) {
  const auto at = static_cast<std::size_t>(v);
  std::vector<std::array<Index, 2>> ends;  // the other end of an edge at v, and its triangle, numbered around v
  std::vector<std::size_t> fan;
  for (Index i = around.offsets[at]; i < around.offsets[at + 1]; ++i) {
    const Index f = around.items[static_cast<std::size_t>(i)];
    for (int k = 0; k < 3; ++k) {
      if (triangles(k, f) != v) ends.push_back({triangles(k, f), static_cast<Index>(fan.size())});
    }
    fan.push_back(fan.size());
  }
  std::sort(ends.begin(), ends.end());
  std::size_t count = fan.size();
  for (std::size_t e = 1; e < ends.size(); ++e) {
    if (ends[e][0] != ends[e - 1][0]) continue;
    const std::size_t a = fan[static_cast<std::size_t>(ends[e][1])], b = fan[static_cast<std::size_t>(ends[e - 1][1])];
    if (a == b) continue;
    std::replace(fan.begin(), fan.end(), b, a);
    --count;
  }
  return count;
}

}  // namespace

Pinches find_pinches(const TetMesh& mesh) {
  const Triangles triangles = boundary_triangles(mesh.tets);
  Pinches found;
  std::vector<char> counted(static_cast<std::size_t>(mesh.vertex_count()), 0);
  const SurfaceEdges edges(triangles);
  for (const SurfaceEdges::Edge& edge : edges.edges()) {
    if (edge.count <= 2) continue;
    if (found.edges++ == 0) found.place = 0.5 * (mesh.vertices.col(edge.a) + mesh.vertices.col(edge.b));
    counted[static_cast<std::size_t>(edge.a)] = counted[static_cast<std::size_t>(edge.b)] = 1;
  }
  const Incidence around = vertex_triangles(triangles, mesh.vertex_count());
  for (const Index v : used_vertices(triangles)) {
    if (counted[static_cast<std::size_t>(v)] || fan_count(v, triangles, around) < 2) continue;
    if (found.edges + found.vertices == 0) found.place = mesh.vertices.col(v);
    ++found.vertices;
  }
  return found;
}

void tell_pinches(const TetMesh& mesh) {
  const Pinches found = find_pinches(mesh);
  if (found.edges + found.vertices == 0) return;
  log::warning(
      "the boundary of the mesh touches itself in {} edges and {} single vertices, one of them at {}: parts are hinged "
      "there. To avoid that, move the parts together or apart, or use a smaller --size",
      found.edges, found.vertices, place(found.place));
}

}  // namespace sinew::mesher
