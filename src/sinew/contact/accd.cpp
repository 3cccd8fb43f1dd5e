#include "sinew/contact/accd.h"

#include "sinew/contact/ccd_axis.h"

namespace sinew::ccd {
namespace {

using detail::kUnit;
using detail::Projection;
using detail::RelativeMotion;

// Each iteration gains at least kKeptGap of the distance over the pair's speed, so this many are rarely needed; a pair
// that needs more stops at the last time proved free.
constexpr int kMaxIterations = 256;

// Separation along some direction at a time, per unit length.
template <int N>
struct Gap {
  Projection<N> along;
  double length = 0;  // |n|
  double size = 0;    // [m], not positive where the direction does not separate
};

template <int N>
Gap<N> gap_along(const RelativeMotion<N>& motion, const Vec3& n, double t, const Vec3& uncertainty) {
  Gap<N> gap{project(motion, n, uncertainty), n.norm(), 0};
  gap.size = gap.along.lowest(t) / gap.length;
  return gap;
}

// The widest over all plausible directions, at least `least` (which an inaccurate direction may have given).
template <int N>
Gap<N> widest_gap(const RelativeMotion<N>& motion, double t, const Vec3& uncertainty, Gap<N> least) {
  for_each_direction(motion, t, [&](const Vec3& n) {
    const Gap<N> gap = gap_along(motion, n, t, uncertainty);
    if (gap.size > least.size || !(least.size > 0)) least = gap.size > 0 ? gap : least;
  });
  return least;
}

// uncertainty: bound of the rounding of each coordinate difference when the caller forms x + alpha d [m].
template <int N>
double free_step(const RelativeMotion<N>& motion, const Vec3& uncertainty, double limit) {
  double t = 0;
  Gap<N> gap = gap_along(motion, detail::closest_direction(motion.start), t, uncertainty);
  if (!(gap.size > 0)) gap = widest_gap(motion, t, uncertainty, gap);
  if (!(gap.size > 0)) return 0;
  const double kept = kKeptGap * gap.size;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const double until = reach(gap.along, t, kept * gap.length);
    if (until >= limit) return limit;
    if (!(until > t)) return t;
    t = until;
    gap = gap_along(motion, detail::closest_direction(motion.at(t)), t, uncertainty);
    if (!(gap.size > 2 * kept)) gap = widest_gap(motion, t, uncertainty, gap);
    if (!(gap.size > 2 * kept)) return t;
  }
  return t;
}

// 2 roundings of x + alpha d at each end of a difference, doubled for the estimate itself.
Vec3 position_rounding(const Points& x, const Points& d, const std::array<Index, 4>& v) {
  Vec3 largest = Vec3::Zero();
  for (Index i : v) largest = largest.cwiseMax(x.col(i).cwiseAbs() + d.col(i).cwiseAbs());
  return 8 * kUnit * largest;
}

template <int N>
void set_corner(RelativeMotion<N>& motion, int k, const Points& x, const Points& d, Index a, Index b) {
  motion.start.col(k) = x.col(a) - x.col(b);
  motion.end.col(k) = motion.start.col(k) + (d.col(a) - d.col(b));
}

}  // namespace

double vertex_face_step(const Points& x, const Points& d, const std::array<Index, 4>& v, double limit) {
  RelativeMotion<3> motion;
  for (int k = 0; k < 3; ++k) set_corner(motion, k, x, d, v[0], v[k + 1]);
  return free_step(motion, position_rounding(x, d, v), limit);
}

double edge_edge_step(const Points& x, const Points& d, const std::array<Index, 4>& v, double limit) {
  RelativeMotion<4> motion;
  for (int k = 0; k < 4; ++k) set_corner(motion, k, x, d, v[k / 2], v[2 + k % 2]);
  return free_step(motion, position_rounding(x, d, v), limit);
}

}  // namespace sinew::ccd
