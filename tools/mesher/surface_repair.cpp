#include "surface_repair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "surface_edges.h"
#include "surface_tree.h"

namespace sinew::mesher {
namespace {

constexpr std::ptrdiff_t most_open_parts = 50'000;  // rays for more would take minutes

class Orientation {
 public:
  explicit Orientation(TriMesh& mesh)
      : mesh_(mesh),
        edges_(mesh.triangles),
        parts_(triangles_of(edge_parts(edges_, mesh.triangles.cols()))),
        turned_(static_cast<std::size_t>(mesh.triangles.cols()), 0),
        closed_(parts_.size(), 1) {}

  Turned run() {
    Turned result;
    agree_with_neighbours(result);
    result.inconsistent = count();
    turn_open_parts(result);
    turn_closed_parts();
    result.triangles = count();
    for (std::size_t f = 0; f < turned_.size(); ++f) {
      const auto at = static_cast<Eigen::Index>(f);
      if (turned_[f]) std::swap(mesh_.triangles(1, at), mesh_.triangles(2, at));
    }
    return result;
  }

 private:
  struct Neighbour {
    Index triangle;
    bool opposed;  // faces the other way across the edge
  };

  Index count() const { return static_cast<Index>(std::count(turned_.begin(), turned_.end(), 1)); }

  void turn(const std::vector<Index>& part) {
    for (const Index f : part) turned_[static_cast<std::size_t>(f)] ^= 1;
  }

  double area(Index f) const { return triangle_normal(mesh_.vertices, mesh_.triangles, f).norm() / 2; }

  Vec3 normal(Index f) const {
    const Vec3 n = triangle_normal(mesh_.vertices, mesh_.triangles, f);
    return turned_[static_cast<std::size_t>(f)] ? Vec3(-n) : n;
  }

  void agree_with_neighbours(Turned& result) {
    std::vector<std::vector<Neighbour>> neighbours(turned_.size());
    std::vector<Index> part_of(turned_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (const Index f : parts_[p]) part_of[static_cast<std::size_t>(f)] = static_cast<Index>(p);
    }
    for (const SurfaceEdges::Edge& edge : edges_.edges()) {
      const auto uses = edges_.uses(edge);
      if (edge.count != 2) {
        for (const auto& use : uses)
          closed_[static_cast<std::size_t>(part_of[static_cast<std::size_t>(use.triangle)])] = 0;
        continue;
      }
      const bool opposed = uses[0].forward == uses[1].forward;
      neighbours[static_cast<std::size_t>(uses[0].triangle)].push_back({uses[1].triangle, opposed});
      neighbours[static_cast<std::size_t>(uses[1].triangle)].push_back({uses[0].triangle, opposed});
    }
    std::vector<char> reached(turned_.size(), 0);
    for (const std::vector<Index>& part : parts_) {
      std::vector<Index> front = {part[0]};
      reached[static_cast<std::size_t>(part[0])] = 1;
      double turned = 0, all = 0;
      for (std::size_t i = 0; i < front.size(); ++i) {
        const auto f = static_cast<std::size_t>(front[i]);
        all += area(front[i]);
        if (turned_[f]) turned += area(front[i]);
        for (const Neighbour& next : neighbours[f]) {
          const auto g = static_cast<std::size_t>(next.triangle);
          const char wanted = turned_[f] ^ static_cast<char>(next.opposed);
          if (reached[g]) {
            result.one_sided = result.one_sided || turned_[g] != wanted;
            continue;
          }
          reached[g] = 1;
          turned_[g] = wanted;
          front.push_back(next.triangle);
        }
      }
      if (turned > all / 2) turn(part);
    }
  }

  // Where a ray from a triangle's front passes an odd number of others, the front is inside. K. Takayama, A. Jacobson,
  // L. Kavan, O. Sorkine-Hornung, A simple method for correcting facet orientations in polygon meshes based on ray
  // casting, 2014.
  void turn_open_parts(Turned& result) {
    if (std::all_of(closed_.begin(), closed_.end(), [](char c) { return c == 1; })) return;
    constexpr std::size_t samples = 64;       // triangles of a part
    constexpr std::ptrdiff_t most = 200'000;  // rays on each side, where a soup is all parts
    const std::ptrdiff_t open = std::count(closed_.begin(), closed_.end(), 0);
    if (open > most_open_parts) {
      result.left_open_parts = static_cast<Index>(open);
      return;
    }
    const int rays = static_cast<int>(std::clamp<std::ptrdiff_t>(most / open, 1, 12));  // of a triangle
    const SurfaceTree tree(mesh_.vertices, mesh_.triangles);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (closed_[p]) continue;
      const std::vector<Index>& part = parts_[p];
      const std::size_t step = std::max<std::size_t>(1, part.size() / samples);
      int wrong = 0, right = 0;
      for (std::size_t i = 0; i < part.size(); i += step) {
        const Vec3 n = normal(part[i]);
        const Vec3 p0 = (tree.corner(part[i], 0) + tree.corner(part[i], 1) + tree.corner(part[i], 2)) / 3;
        for (int r = 0; r < rays; ++r) {
          // A spiral over the half sphere of the normal.
          const double z = (r + 0.5) / rays, turn = std::numbers::pi * (1 + std::sqrt(5.0)) * (r + 0.25);
          const double s = std::sqrt(1 - z * z);
          Vec3 d(s * std::cos(turn) + 0.0123, s * std::sin(turn) + 0.0234, z + 0.0345);
          if (d.dot(n) < 0) d = -d;
          const bool front_inside = tree.crossings(p0, d, part[i]) % 2 == 1;
          const bool back_inside = tree.crossings(p0, -d, part[i]) % 2 == 1;
          wrong += front_inside && !back_inside;
          right += back_inside && !front_inside;
        }
      }
      if (wrong > right) turn(part);
    }
  }

  void turn_closed_parts() {
    const Vec3 origin = mesh_.vertices.rowwise().mean();
    double volume = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!closed_[p]) continue;
      for (const Index f : parts_[p]) volume += (mesh_.vertices.col(mesh_.triangles(0, f)) - origin).dot(normal(f));
    }
    if (volume >= 0) return;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (closed_[p]) turn(parts_[p]);
    }
  }

  TriMesh& mesh_;
  SurfaceEdges edges_;
  std::vector<std::vector<Index>> parts_;
  std::vector<char> turned_;  // triangles
  std::vector<char> closed_;  // parts
};

}  // namespace

Turned orient(InputSurface& surface) {
  return Orientation(surface.mesh).run();
}

}  // namespace sinew::mesher
