#include "sinew/mesh/round_edges.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// The surface has this distance from a point, circle or axis; center(p) is the point of it that is nearest to p.
template <class Center>
void round_edges(TetMesh& mesh, double radius, Center&& center) {
  constexpr double rounding = 1e-9;
  const auto on_surface = [&](Index v) {
    const Vec3 p = mesh.vertices.col(v);
    return std::abs((p - center(p)).norm() - radius) < rounding * radius;
  };
  const Triangles boundary = boundary_triangles(mesh.tets);
  std::vector<std::pair<Index, Index>> edges;
  for (const auto& face : boundary.colwise())
    for (int k = 0; k < 3; ++k) edges.push_back(std::minmax<Index>({face[k], face[(k + 1) % 3]}));
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const auto& [a, b] : edges) {
    if (!on_surface(a) || !on_surface(b)) continue;
    const Vec3 middle = 0.5 * (mesh.vertices.col(a) + mesh.vertices.col(b)), c = center(middle);
    mesh.mid_nodes.push_back({a, b, c + radius * (middle - c).normalized()});
  }
}

// The part of p across the axis.
Vec3 across(const Vec3& p, Axis axis) {
  Vec3 result = p;
  result[static_cast<int>(axis)] = 0;
  return result;
}

}  // namespace

void round_sphere(TetMesh& mesh, double radius) {
  round_edges(mesh, radius, [](const Vec3&) -> Vec3 { return Vec3::Zero(); });
}

void round_cylinder(TetMesh& mesh, double radius, Axis axis) {
  round_edges(mesh, radius, [&](const Vec3& p) -> Vec3 { return p - across(p, axis); });
}

void round_torus(TetMesh& mesh, double radius, double tube, Axis axis) {
  round_edges(mesh, tube, [&](const Vec3& p) -> Vec3 { return radius * across(p, axis).normalized(); });
}

}  // namespace sinew
