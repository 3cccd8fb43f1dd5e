#include "sinew/contact/overlap.h"

#include <limits>
#include <map>

#include "sinew/contact/surface_distance.h"

namespace sinew {

std::vector<Overlap> find_overlaps(const CollisionMesh& mesh, const Points& x) {
  SurfaceDistance surfaces(mesh);
  surfaces.update(x);
  std::map<std::pair<Index, Index>, Overlap> pairs;
  const auto look_at = [&](Index owner, const Vec3& p) {
    for (Index other = 0; other < mesh.owner_count; ++other) {
      if (other == owner || !mesh.owners_may_touch(owner, other)) continue;
      if (!surfaces.has_triangles(other) || !surfaces.closed(other) || surfaces.box_distance(other, p) > 0) continue;
      const NearestPoint nearest = surfaces.nearest(other, x, p, std::numeric_limits<double>::infinity());
      if (!(nearest.distance < 0)) continue;
      const auto key = std::minmax(owner, other);
      Overlap& overlap = pairs.try_emplace(key, Overlap{key.first, key.second, 0, p}).first->second;
      if (-nearest.distance <= overlap.depth) continue;
      overlap.depth = -nearest.distance;
      overlap.place = p;
    }
  };
  for (const Index v : mesh.vertices) look_at(mesh.vertex_owner[v], x.col(v));
  // Of slices all vertices may lie on faces that both have in one plane.
  for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) {
    const auto t = mesh.triangles.col(f);
    look_at(mesh.vertex_owner[t[0]], (x.col(t[0]) + x.col(t[1]) + x.col(t[2])) / 3);
  }
  const double touching = 1e-7 * (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();  // faces that coincide
  std::vector<Overlap> list;
  for (const auto& [key, overlap] : pairs)
    if (overlap.depth > touching) list.push_back(overlap);
  return list;
}

}  // namespace sinew
