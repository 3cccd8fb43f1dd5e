#include "sinew/io/obstacle_surface.h"

#include <algorithm>
#include <array>

namespace sinew {
namespace {

// The corners of a square of half width `size` on a plane, around the point of it nearest to `center`.
std::array<Vec3, 4> plane_square(const PlaneState& plane, const Vec3& center, double size) {
  const Vec3& n = plane.normal;
  const Vec3 middle = center - n.dot(center - plane.point) * n;
  Eigen::Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  const Vec3 a = n.cross(Vec3::Unit(axis)).normalized() * size, b = n.cross(a);
  return {middle - a - b, middle + a - b, middle + a + b, middle - a + b};
}

}  // namespace

ObstacleSurface::ObstacleSurface(const System& system)
    : system_(system), center_(0.5 * (system.user_rest.rowwise().minCoeff() + system.user_rest.rowwise().maxCoeff())) {
  const Index first = system.body_vertex_count(), mesh_vertices = system.obstacle_vertex_count();
  const Index body_count = static_cast<Index>(system.bodies.size());
  std::vector<Index> corners;
  for (Eigen::Index t = 0; t < system.collision.triangles.cols(); ++t) {
    const auto triangle = system.collision.triangles.col(t);
    if (triangle.minCoeff() < first) continue;
    for (const Index v : triangle) corners.push_back(v - first);
    ids_.push_back(system.collision.vertex_owner[triangle[0]] - body_count);
  }
  for (std::size_t p = 0; p < system.planes.size(); ++p) {
    const Index c = mesh_vertices + 4 * static_cast<Index>(p);
    corners.insert(corners.end(), {c, c + 1, c + 2, c, c + 2, c + 3});
    ids_.insert(ids_.end(), 2, system.collision.planes[p].owner - body_count);
  }
  triangles_ = Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(ids_.size()));
  vertex_count_ = mesh_vertices + 4 * static_cast<Index>(system.planes.size());
}

bool ObstacleSurface::moves() const {
  return std::ranges::any_of(system_.obstacle_motion,
                             [&](Index motion) { return motion >= 0 && !system_.motions[motion].empty(); });
}

Points ObstacleSurface::positions(const State& state) const {
  Points x(3, vertex_count_);
  const Index mesh_vertices = system_.obstacle_vertex_count();
  x.leftCols(mesh_vertices) = state.x.rightCols(mesh_vertices);
  for (std::size_t p = 0; p < state.planes.size(); ++p) {
    const auto square = plane_square(state.planes[p], center_, system_.diagonal);
    for (int k = 0; k < 4; ++k) x.col(mesh_vertices + 4 * static_cast<Index>(p) + k) = square[k];
  }
  return x;
}

}  // namespace sinew
