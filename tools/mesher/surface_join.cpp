#include "surface_join.h"

#include <algorithm>
#include <array>
#include <map>

namespace sinew::mesher {
namespace {

// +1 when the corners are an even permutation of their ascending order, else -1.
int parity(const std::array<Index, 3>& v) {
  return ((v[0] > v[1]) + (v[1] > v[2]) + (v[0] > v[2])) % 2 == 0 ? 1 : -1;
}

}  // namespace

JoinedSurfaces join(const std::vector<InputSurface>& surfaces) {
  JoinedSurfaces joined;
  std::map<std::array<double, 3>, Index> vertices;
  std::map<std::array<Index, 3>, std::pair<std::size_t, int>> triangles;  // ascending corners -> triangle, parity
  std::vector<Index> corners;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const TriMesh& mesh = surfaces[s].mesh;
    for (Index f = 0; f < mesh.triangles.cols(); ++f) {
      std::array<Index, 3> v;
      for (int k = 0; k < 3; ++k) {
        const Vec3 p = mesh.vertices.col(mesh.triangles(k, f)).array() + 0.0;  // -0 becomes 0
        v[static_cast<std::size_t>(k)] =
            vertices.try_emplace({p.x(), p.y(), p.z()}, static_cast<Index>(vertices.size())).first->second;
      }
      std::array<Index, 3> key = v;
      std::sort(key.begin(), key.end());
      const auto [at, inserted] = triangles.try_emplace(key, joined.owners.size(), parity(v));
      if (inserted) {
        joined.owners.emplace_back();
        corners.insert(corners.end(), v.begin(), v.end());
      }
      joined.owners[at->second.first].push_back({s, f, at->second.second != parity(v)});
    }
  }
  joined.vertices.resize(3, static_cast<Eigen::Index>(vertices.size()));
  for (const auto& [p, v] : vertices) joined.vertices.col(v) = Vec3(p[0], p[1], p[2]);
  joined.triangles = Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
  return joined;
}

}  // namespace sinew::mesher
