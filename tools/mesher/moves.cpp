#include "moves.h"

#include <numbers>

#include <Eigen/Geometry>

namespace sinew::mesher {
namespace {

constexpr double diagonal = std::numbers::sqrt2 / 2, cubic = std::numbers::inv_sqrt3;
constexpr double turn[8][2] = {{1, 0},  {diagonal, diagonal},   {0, 1},  {-diagonal, diagonal},
                               {-1, 0}, {-diagonal, -diagonal}, {0, -1}, {diagonal, -diagonal}};
const Vec3 direction[14] = {{1, 0, 0},
                            {-1, 0, 0},
                            {0, 1, 0},
                            {0, -1, 0},
                            {0, 0, 1},
                            {0, 0, -1},
                            {cubic, cubic, cubic},
                            {-cubic, -cubic, -cubic},
                            {-cubic, cubic, cubic},
                            {cubic, -cubic, -cubic},
                            {cubic, -cubic, cubic},
                            {-cubic, cubic, -cubic},
                            {cubic, cubic, -cubic},
                            {-cubic, -cubic, cubic}};

// The unit normal of the surface at v, from label `inner` to the other one, over the triangles there.
Vec3 surface_normal(const Stars& stars, Index v, Index inner) {
  Vec3 sum = Vec3::Zero();
  for (const Index t : stars.star(v)) {
    if (stars.region(t) != inner) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      if (stars.tet(t)[k] == v) continue;
      const auto [p, q, r] = stars.face(t, k);
      const Index u = stars.across(t, p, q, r);
      if (u < 0 || stars.region(u) != inner) sum += (stars.x(q) - stars.x(p)).cross(stars.x(r) - stars.x(p));
    }
  }
  return sum.normalized();
}

bool move(Stars& stars, Index v, double goal, const ImproveOptions& options) {
  const auto& labels = stars.labels(v);
  if (stars.fixed(v)) return false;
  const bool sliding = stars.slides(v);
  if (sliding && !options.project) return false;
  const Index inner = labels.back(), outer = labels.front();
  Vec3 n = Vec3::Zero();
  if (sliding) {
    n = surface_normal(stars, v, inner);
    if (!(n.squaredNorm() > 0.5)) return false;
  }
  double length = 0;
  for (const Index t : stars.star(v)) {
    for (const Index w : stars.tet(t)) length += (stars.x(w) - stars.x(v)).norm() / 3;
  }
  length /= static_cast<double>(stars.star(v).size());
  // First the worst tets, which refuse most places.
  stars.sort_star(v);
  const double before = stars.quality(stars.star(v).front());
  double best = before;
  Vec3 found = stars.x(v);
  const Vec3 u = n.unitOrthogonal(), w = n.cross(u);
  for (double step = 0.3 * length; step > 0.01 * length; step *= 0.5) {
    for (bool better = true; better && best < goal;) {
      better = false;
      const Vec3 base = found;
      for (int d = 0; d < (sliding ? 8 : 14); ++d) {
        Vec3 p = base + step * (sliding ? Vec3(turn[d][0] * u + turn[d][1] * w) : direction[d]);
        if (sliding && stars.star_worst(v, p, best - 0.05) == flat) continue;
        if (sliding && !options.project(p, n, inner, outer, 0.5 * step + options.deviation)) continue;
        const double q = stars.star_worst(v, p, best);
        if (q > best) best = q, found = p, better = true;
      }
    }
  }
  if (best < before * 1.02 + 1e-6) return false;
  stars.place(v, found);
  return true;
}

}  // namespace

bool move_corners(Stars& stars, Index t, double goal, const ImproveOptions& options) {
  bool changed = false;
  const Tet tet = stars.tet(t);
  for (const Index v : tet) {
    if (stars.quality(t) >= goal) break;
    changed |= move(stars, v, goal, options);
  }
  return changed;
}

}  // namespace sinew::mesher
