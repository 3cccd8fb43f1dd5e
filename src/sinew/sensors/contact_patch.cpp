#include "sinew/sensors/contact_patch.h"

#include <algorithm>
#include <map>

#include "sinew/model/surface_samples.h"

namespace sinew {
// A third of the triangles around a vertex, as far as the force presses on them: those beyond an edge do not count.
double ContactPatches::area(Index vertex, const Vec3& direction, SensorSource& source) {
  if (const double own = source.contact_area(vertex); own > 0) return own;
  const CollisionMesh& mesh = system_.collision;
  const Points& x = source.state().x;
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
  // Forces on the samples of convergent contact go to the corners of their triangles: the other side's samples act
  // there, too.
  const CollisionMesh& mesh = system_.collision;
  std::map<Index, Vec3> by_vertex;
  const auto add = [&](Index v, const Vec3& force) { by_vertex.try_emplace(v, Vec3::Zero()).first->second += force; };
  for (std::size_t i = 0; i < normal.vertices.size(); ++i) {
    const Index v = normal.vertices[i];
    if (!mesh.is_sample(v)) {
      add(v, normal.forces[i]);
      continue;
    }
    if (weights_.empty()) weights_ = sample_weights(system_.setup.contact.subdivision);
    const Index sample = v - mesh.sample_begin;
    for (int k = 0; k < 3; ++k)
      add(mesh.sample_corners(k, sample), weights_[sample % mesh.samples_of_triangle][k] * normal.forces[i]);
  }
  if (system_.quadratic_tets.cols() > 0) {
    if (!edge_nodes_) edge_nodes_ = edge_nodes(system_.quadratic_tets);
    for (const auto& [vertex, force] : std::map(by_vertex)) {
      const auto node = edge_nodes_->find(vertex);
      if (node == edge_nodes_->end()) continue;
      for (const Index end : node->second) add(end, end_share * force);
      add(vertex, -2 * end_share * force);
    }
  }
  ContactPatch patch;
  double sum = 0;  // of the vertices' forces [N]
  for (const auto& [vertex, force] : by_vertex) {
    if (force.isZero(0)) continue;
    const double own = area(vertex, force.normalized(), source);
    if (!(own > 0)) continue;
    patch.area += own;
    sum += force.norm();
    patch.peak_pressure = std::max(patch.peak_pressure, force.norm() / own);
  }
  patch.mean_pressure = patch.area > 0 ? sum / patch.area : 0;
  return patch;
}

}  // namespace sinew
