#include "collapses.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <Eigen/Geometry>

#include "sinew/core/sort_unique.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesher {
namespace {

constexpr double short_edge = 0.4;  // of a tet's longest: one that may be collapsed

// Of the surfaces' triangles at v: their other two vertices, counter-clockwise seen from outside tet t.
struct SurfaceCorner {
  Index p, q;
};

double longest_edge(const Stars& stars, const Tet& tet) {
  double longest = 0;
  for (const auto& [i, j] : tet_edges) longest = std::max(longest, (stars.x(tet[at(i)]) - stars.x(tet[at(j)])).norm());
  return longest;
}

std::vector<SurfaceCorner> surface_corners(const Stars& stars, Index v) {
  std::vector<SurfaceCorner> corners;
  for (const Index t : stars.star(v)) {
    for (std::size_t k = 0; k < 4; ++k) {
      if (stars.tet(t)[k] == v) continue;
      auto f = stars.face(t, k);
      if (!stars.on_surface(t, f[0], f[1], f[2])) continue;
      while (f[0] != v) std::rotate(f.begin(), f.begin() + 1, f.end());
      corners.push_back({f[1], f[2]});
    }
  }
  return corners;
}

bool face_of(const Stars& stars, Index b, Index v, Index w) {
  return std::any_of(stars.star(b).begin(), stars.star(b).end(),
                     [&](Index t) { return stars.has(t, v) && stars.has(t, w); });
}

std::vector<Index> intersection(const std::vector<Index>& a, const std::vector<Index>& b) {
  std::vector<Index> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common;
}

// Whether the mesh keeps its topology when a and b become one (Dey et al. 1999): what both are joined with must be
// around the edge between them.
bool mesh_may_join(const Stars& stars, Index a, Index b) {
  std::vector<Index> around;
  for (const Index t : stars.star(a)) {
    if (!stars.has(t, b)) continue;
    for (const Index v : stars.tet(t)) {
      if (v != a && v != b) around.push_back(v);
    }
  }
  sort_unique(around);
  if (intersection(stars.neighbours(a), stars.neighbours(b)) != around) return false;
  for (const Index t : stars.star(a)) {  // a face (v, w) opposite to both without a tet between
    if (stars.has(t, b)) continue;
    for (const auto& [i, j] : tet_edges) {
      const Index v = stars.tet(t)[at(i)], w = stars.tet(t)[at(j)];
      if (v == a || w == a || !face_of(stars, b, v, w)) continue;
      const auto between = [&](Index u) { return stars.has(u, b) && stars.has(u, v) && stars.has(u, w); };
      if (std::none_of(stars.star(a).begin(), stars.star(a).end(), between)) return false;
    }
  }
  return true;
}

std::vector<Index> ring(const std::vector<SurfaceCorner>& corners) {
  std::vector<Index> found;
  for (const auto& [p, q] : corners) found.push_back(p), found.push_back(q);
  sort_unique(found);
  return found;
}

// The same for the surfaces whose triangles at a these are, and their edges.
bool surfaces_may_join(const Stars& stars, Index b, const std::vector<SurfaceCorner>& at_a) {
  if (at_a.empty()) return true;
  const std::vector<Index> ring_a = ring(at_a);
  const bool joined = std::binary_search(ring_a.begin(), ring_a.end(), b);
  if (!joined) return false;  // both on surfaces, the edge is not
  std::vector<Index> beside;
  for (const auto& [p, q] : at_a) {
    if (p == b) beside.push_back(q);
    if (q == b) beside.push_back(p);
  }
  sort_unique(beside);
  return intersection(ring_a, ring(surface_corners(stars, b))) == beside;
}

// Vertex a goes into b, at the place of b. One inside may go anywhere; one of a surface along that surface where it
// is flat; one of a sharp line along the line where it is straight; a corner where that is hardly a move.
void try_collapse(const Stars& stars, Index a, Index b, double deviation, Change& best) {
  const auto &of_a = stars.labels(a), &of_b = stars.labels(b);
  const Vec3 &xa = stars.x(a), &xb = stars.x(b);
  if (!std::includes(of_b.begin(), of_b.end(), of_a.begin(), of_a.end())) return;
  std::vector<Index> lines;
  if (stars.fixed(a)) {
    for (const Index v : stars.neighbours(a)) {
      if (v != b && stars.sharp(a, v)) lines.push_back(v);
    }
    const Vec3 to = xa - xb;
    double off = 2 * to.norm();  // a corner, the end of a line, or another line
    if (lines.size() == 1 && stars.sharp(a, b)) {
      const Vec3 along = (stars.x(lines[0]) - xb).normalized();
      if (to.dot(along) >= 0) off = (to - to.dot(along) * along).norm();
    }
    if (off > deviation) return;
  }
  double before = std::numeric_limits<double>::infinity(), after = before;
  std::vector<std::pair<Tet, Index>> fresh;
  for (const Index t : stars.star(a)) before = std::min(before, stars.quality(t));
  for (const Index t : stars.star(a)) {
    if (stars.has(t, b)) continue;
    Tet moved = stars.tet(t);
    std::replace(moved.begin(), moved.end(), a, b);
    after = std::min(after, stars.quality(moved));
    if (after <= before) return;
    fresh.emplace_back(moved, stars.region(t));
  }
  const std::vector<SurfaceCorner> corners = of_a.size() > 1 ? surface_corners(stars, a) : std::vector<SurfaceCorner>();
  for (const auto& [p, q] : corners) {
    if (p == b || q == b) continue;
    const Vec3 &xp = stars.x(p), &xq = stars.x(q);
    const Vec3 old = (xp - xa).cross(xq - xa), turned = (xp - xb).cross(xq - xb);
    if (!(old.dot(turned) > surface_turn * old.norm() * turned.norm())) return;
    if (std::abs(turned.dot(xa - xb)) > deviation * turned.norm()) return;
  }
  if (fresh.empty() || !mesh_may_join(stars, a, b) || !surfaces_may_join(stars, b, corners)) return;
  const double gain = best.gain;
  offer(before, after, stars.star(a), std::move(fresh), best);
  if (best.gain > gain) best.gone = a, best.into = b, best.lines = std::move(lines);
}

}  // namespace

void offer_collapses(const Stars& stars, Index t, double deviation, Change& best) {
  const Tet& tet = stars.tet(t);
  const double longest = longest_edge(stars, tet);
  for (const auto& [i, j] : tet_edges) {
    const Index a = tet[at(i)], b = tet[at(j)];
    if ((stars.x(a) - stars.x(b)).norm() > short_edge * longest) continue;
    try_collapse(stars, a, b, deviation, best);
    try_collapse(stars, b, a, deviation, best);
  }
}

}  // namespace sinew::mesher
