#include "tidy.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <Eigen/Geometry>

#include "sinew/mesh/surface.h"

namespace sinew::mesher {
namespace {

constexpr std::size_t largest_speck = 3;

// The tets joined to t by faces within its region, or none when they are more than a speck.
std::vector<Index> speck_of(Index t, const TetMesh& mesh, const Tets& neighbours) {
  std::vector<Index> speck{t};
  for (std::size_t i = 0; i < speck.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      const Index u = neighbours(k, speck[i]);
      if (u < 0 || mesh.regions[static_cast<std::size_t>(u)] != mesh.regions[static_cast<std::size_t>(t)]) continue;
      if (std::find(speck.begin(), speck.end(), u) != speck.end()) continue;
      if (speck.size() == largest_speck) return {};
      speck.push_back(u);
    }
  }
  return speck;
}

// The region with most faces towards the speck, 0 for none.
Index region_around(const std::vector<Index>& speck, const TetMesh& mesh, const Tets& neighbours) {
  std::map<Index, int> faces;
  for (const Index t : speck) {
    for (int k = 0; k < 4; ++k) {
      const Index u = neighbours(k, t);
      if (u >= 0 && std::find(speck.begin(), speck.end(), u) == speck.end())
        ++faces[mesh.regions[static_cast<std::size_t>(u)]];
    }
  }
  Index best = 0;
  for (const auto& [region, count] : faces) {
    if (best == 0 || count > faces[best]) best = region;
  }
  return best;
}

}  // namespace

void remove_specks(TetMesh& mesh) {
  const Tets neighbours = tet_neighbours(mesh.tets);
  std::vector<Index> regions = mesh.regions;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    const std::vector<Index> speck = speck_of(t, mesh, neighbours);
    if (!speck.empty()) regions[static_cast<std::size_t>(t)] = region_around(speck, mesh, neighbours);
  }
  Index kept = 0;
  mesh.regions.clear();
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    const Index region = regions[static_cast<std::size_t>(t)];
    if (region == 0) continue;
    mesh.tets.col(kept++) = mesh.tets.col(t).eval();
    mesh.regions.push_back(region);
  }
  mesh.tets.conservativeResize(4, kept);
}

std::vector<std::pair<Vec3, Vec3>> triangles_at_knots(const TetMesh& mesh) {
  const Triangles triangles = boundary_triangles(mesh.tets);
  struct Side {
    Index a, b;
    Eigen::Index triangle;
    bool operator<(const Side& other) const {
      return std::tie(a, b, triangle) < std::tie(other.a, other.b, other.triangle);
    }
  };
  std::vector<Side> sides;
  for (Eigen::Index f = 0; f < triangles.cols(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(triangles(k, f), triangles((k + 1) % 3, f));
      sides.push_back({a, b, f});
    }
  }
  std::sort(sides.begin(), sides.end());
  std::vector<std::pair<Vec3, Vec3>> found;
  for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
    while (end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b) ++end;
    for (std::size_t s = i; end - i > 2 && s < end; ++s) {
      const auto corners = triangles.col(sides[s].triangle);
      const Vec3 p = mesh.vertices.col(corners[0]), q = mesh.vertices.col(corners[1]),
                 r = mesh.vertices.col(corners[2]);
      found.emplace_back((p + q + r) / 3, (q - p).cross(r - p).normalized());
    }
  }
  return found;
}

}  // namespace sinew::mesher
