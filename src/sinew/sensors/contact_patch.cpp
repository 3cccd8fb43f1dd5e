#include "sinew/sensors/contact_patch.h"

#include <algorithm>
#include <map>

namespace sinew {
// A sample has its share of its triangle. Other vertices have a third of the triangles around them. Triangles count as
// far as the force presses on them, so that those beyond an edge do not.
double ContactPatches::area(Index vertex, const Vec3& direction, SensorSource& source) {
  if (const double own = source.contact_area(vertex); own > 0) return own;
  const CollisionMesh& mesh = system_.collision;
  const Points& x = source.state().x;
  if (mesh.is_sample(vertex)) {
    const auto corners = mesh.sample_corners.col(vertex - mesh.sample_begin);
    return pressed_area(x.col(corners[0]), x.col(corners[1]), x.col(corners[2]), direction) / mesh.samples_of_triangle;
  }
  if (!triangles_) triangles_ = vertex_triangles(mesh.triangles, system_.vertex_count());
  const Index owner = mesh.vertex_owner[vertex];
  const bool two_sided =
      owner < static_cast<Index>(system_.bodies.size()) && system_.bodies[owner].triangle_count > 0;  // cloth
  double sum = 0;
  for (Index i = triangles_->offsets[vertex]; i < triangles_->offsets[vertex + 1]; ++i) {
    const auto t = mesh.triangles.col(triangles_->items[i]);
    sum += pressed_area(x.col(t[0]), x.col(t[1]), x.col(t[2]), direction) / 3;
    if (two_sided) sum += pressed_area(x.col(t[0]), x.col(t[1]), x.col(t[2]), -direction) / 3;
  }
  return sum;
}

ContactPatch ContactPatches::patch(const PointForces& normal, SensorSource& source) {
  std::map<Index, Vec3> by_vertex;
  for (std::size_t i = 0; i < normal.vertices.size(); ++i)
    by_vertex.try_emplace(normal.vertices[i], Vec3::Zero()).first->second += normal.forces[i];
  ContactPatch patch;
  for (const auto& [vertex, force] : by_vertex) {
    if (force.isZero(0)) continue;
    const double own = area(vertex, force.normalized(), source);
    if (!(own > 0)) continue;
    patch.area += own;
    patch.peak_pressure = std::max(patch.peak_pressure, force.norm() / own);
  }
  return patch;
}

}  // namespace sinew
