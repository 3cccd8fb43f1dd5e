#include "volume_balance.h"

#include <algorithm>

#include <Eigen/Geometry>

namespace sinew::mesher {
namespace {

constexpr int sweeps = 3;

// How far the surface is from p along n, 0 where it is not found.
double gap(const ImproveOptions& options, const Vec3& p, const Vec3& n, Index inner, Index outer) {
  Vec3 onto = p;
  return options.project(onto, n, inner, outer, 1.5 * options.deviation) ? n.dot(onto - p) : 0;
}

// The triangles of surfaces: f(p, q, r, inner, outer), outwards.
template <class F>
void for_surface_triangles(const Stars& stars, const F& f) {
  for (Index t = 0; t < stars.tet_count(); ++t) {
    if (!stars.alive(t)) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto [p, q, r] = stars.face(t, k);
      if (stars.labels(p).size() < 2 || stars.labels(q).size() < 2 || stars.labels(r).size() < 2) continue;
      const Index u = stars.across(t, p, q, r), other = u < 0 ? 0 : stars.region(u);
      if (other < stars.region(t)) f(p, q, r, stars.region(t), other);
    }
  }
}

// The mean gap of a triangle is that of its middle to 3/4 and of each corner to 1/12, exact for a quadratic surface.
std::vector<Vec3> surface_shifts(const Stars& stars, const ImproveOptions& options) {
  const auto n = static_cast<std::size_t>(stars.vertex_count());
  std::vector<Vec3> normal(n, Vec3::Zero());
  for_surface_triangles(stars, [&](Index p, Index q, Index r, Index, Index) {
    for (const Index v : {p, q, r}) normal[at(v)] += (stars.x(q) - stars.x(p)).cross(stars.x(r) - stars.x(p));
  });
  std::vector<double> corner(n), sum(n), area(n);
  for (Index v = 0; v < stars.vertex_count(); ++v) {
    normal[at(v)].normalize();
    if (!stars.slides(v)) continue;
    corner[at(v)] = gap(options, stars.x(v), normal[at(v)], stars.labels(v).back(), stars.labels(v).front());
  }
  for_surface_triangles(stars, [&](Index p, Index q, Index r, Index inner, Index outer) {
    const Vec3 across = (stars.x(q) - stars.x(p)).cross(stars.x(r) - stars.x(p));
    const Vec3 centre = (stars.x(p) + stars.x(q) + stars.x(r)) / 3;
    const double weight = across.norm(), middle = gap(options, centre, across / weight, inner, outer);
    const double mean = 0.75 * middle + (corner[at(p)] + corner[at(q)] + corner[at(r)]) / 12;
    for (const Index v : {p, q, r}) sum[at(v)] += weight * mean, area[at(v)] += weight;
  });
  std::vector<Vec3> shift(n, Vec3::Zero());
  for (std::size_t v = 0; v < n; ++v) {
    if (area[v] > 0) shift[v] = sum[v] / area[v] * normal[v];
  }
  return shift;
}

}  // namespace

void balance_volume(Stars& stars, double goal, const ImproveOptions& options) {
  for (int sweep = 0; options.project && sweep < sweeps; ++sweep) {
    const std::vector<Vec3> shift = surface_shifts(stars, options);
    for (Index v = 0; v < stars.vertex_count(); ++v) {
      if (!stars.slides(v) || stars.star(v).empty()) continue;
      const double bound = std::min(goal, stars.worst(stars.star(v)));
      for (const double part : {1.0, 0.5, 0.25}) {
        const Vec3 p = stars.x(v) + part * shift[at(v)];
        if (stars.star_worst(v, p, 0.9999 * bound) == flat) continue;
        stars.place(v, p);
        break;
      }
    }
  }
}

}  // namespace sinew::mesher
