#include "sinew/io/web_skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace sinew {
namespace {

// Squared distances to planes, weighted by area: x^T A x - 2 b^T x + c (Garland and Heckbert 1997).
struct Quadric {
  Mat3 A = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0;

  void add(const Vec3& normal, double offset, double area) {
    A += area * normal * normal.transpose();
    b += area * offset * normal;
    c += area * offset * offset;
  }
  double at(const Vec3& x) const { return x.dot(A * x) - 2 * b.dot(x) + c; }
};

using Cell = std::array<Index, 3>;

// Vertex clustering (Rossignac and Borrel 1993): the vertices of each cell of a grid become one, the one with the least
// error to the planes of the triangles around the cell's vertices (Lindstrom 2000). It stays a vertex of the mesh,
// where the basis is known.
WebSkin clustered(const System& system, const WebSkin& fine, double cell) {
  const auto count = fine.vertices.size();
  const auto at = [&](Index v) { return Vec3(system.rest.col(fine.vertices[v])); };
  std::map<Cell, Index> cells;
  std::vector<Index> cell_of(count);
  for (std::size_t v = 0; v < count; ++v) {
    const Vec3 x = at(static_cast<Index>(v)) / cell;
    const Cell key{static_cast<Index>(std::floor(x[0])), static_cast<Index>(std::floor(x[1])),
                   static_cast<Index>(std::floor(x[2]))};
    cell_of[v] = cells.try_emplace(key, static_cast<Index>(cells.size())).first->second;
  }
  std::vector<Quadric> quadrics(cells.size());
  for (Index f = 0; f < fine.triangles.cols(); ++f) {
    const Vec3 a = at(fine.triangles(0, f));
    const Vec3 across = (at(fine.triangles(1, f)) - a).cross(at(fine.triangles(2, f)) - a);
    const double size = across.norm();
    if (!(size > 0)) continue;
    const Vec3 normal = across / size;
    for (int k = 0; k < 3; ++k) quadrics[cell_of[fine.triangles(k, f)]].add(normal, normal.dot(a), size / 2);
  }
  std::vector<Index> chosen(cells.size(), -1);
  std::vector<double> error(cells.size(), std::numeric_limits<double>::infinity());
  for (std::size_t v = 0; v < count; ++v) {
    const double own = quadrics[cell_of[v]].at(at(static_cast<Index>(v)));
    if (own < error[cell_of[v]]) {
      error[cell_of[v]] = own;
      chosen[cell_of[v]] = static_cast<Index>(v);
    }
  }
  // Triangles with corners in three cells, each once: two layers of a thin part may fall into the same cells.
  WebSkin coarse{fine.owner, {}, Triangles(3, 0)};
  std::vector<Index> number(cells.size(), -1);
  std::set<Cell> seen;
  std::vector<Cell> kept;
  for (Index f = 0; f < fine.triangles.cols(); ++f) {
    Cell corners{cell_of[fine.triangles(0, f)], cell_of[fine.triangles(1, f)], cell_of[fine.triangles(2, f)]};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    std::rotate(corners.begin(), std::ranges::min_element(corners), corners.end());
    if (!seen.insert(corners).second) continue;
    for (Index& corner : corners) {
      if (number[corner] < 0) {
        number[corner] = static_cast<Index>(coarse.vertices.size());
        coarse.vertices.push_back(fine.vertices[chosen[corner]]);
      }
      corner = number[corner];
    }
    kept.push_back(corners);
  }
  coarse.triangles.resize(3, static_cast<Index>(kept.size()));
  for (std::size_t f = 0; f < kept.size(); ++f)
    for (int k = 0; k < 3; ++k) coarse.triangles(k, static_cast<Index>(f)) = kept[f][k];
  return coarse;
}

std::vector<WebSkin> fine_skins(const System& system) {
  const CollisionMesh& mesh = system.collision;
  std::vector<std::vector<Index>> faces(static_cast<std::size_t>(mesh.owner_count));
  for (Index f = 0; f < mesh.triangles.cols(); ++f) faces[mesh.vertex_owner[mesh.triangles(0, f)]].push_back(f);
  std::vector<WebSkin> skins;
  std::vector<Index> number(static_cast<std::size_t>(system.vertex_count()), -1);
  for (Index owner = 0; owner < mesh.owner_count; ++owner) {
    if (faces[owner].empty()) continue;
    WebSkin& skin = skins.emplace_back(WebSkin{owner, {}, Triangles(3, static_cast<Index>(faces[owner].size()))});
    for (std::size_t f = 0; f < faces[owner].size(); ++f)
      for (int k = 0; k < 3; ++k) {
        const Index v = mesh.triangles(k, faces[owner][f]);
        if (number[v] < 0) {
          number[v] = static_cast<Index>(skin.vertices.size());
          skin.vertices.push_back(v);
        }
        skin.triangles(k, static_cast<Index>(f)) = number[v];
      }
  }
  return skins;
}

}  // namespace

// The cells of all surfaces have one size, found by bisection of its logarithm.
std::vector<WebSkin> web_skins(const System& system, Index triangles) {
  const std::vector<WebSkin> fine = fine_skins(system);
  Index count = 0;
  for (const WebSkin& skin : fine) count += static_cast<Index>(skin.triangles.cols());
  if (count <= triangles) return fine;
  std::vector<WebSkin> best;
  double low = 1e-4 * system.diagonal, high = 0.5 * system.diagonal;
  for (int k = 0; k < 16; ++k) {
    const double cell = std::sqrt(low * high);
    std::vector<WebSkin> skins;
    count = 0;
    for (const WebSkin& skin : fine) {
      skins.push_back(clustered(system, skin, cell));
      count += static_cast<Index>(skins.back().triangles.cols());
    }
    if (count > triangles) {
      low = cell;
    } else {
      high = cell;
      best = std::move(skins);
    }
  }
  return best;
}

}  // namespace sinew
