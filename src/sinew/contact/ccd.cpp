#include "sinew/contact/ccd.h"

#include "sinew/contact/ccd_axis.h"
#include "sinew/contact/ccd_coplanarity.h"

namespace sinew::ccd {
namespace {

using detail::RelativeMotion;

constexpr int kMaxIterations = 512;
constexpr int kPatience = 4;  // iterations before the costlier coplanarity bound joins in

// Whether all corners of the Minkowski difference stay on one side of zero along some coordinate axis, which means that
// the boxes around the primitives' whole motion are disjoint. Most queries end here.
template <int N>
bool boxes_apart(const RelativeMotion<N>& motion) {
  for (int c = 0; c < 3; ++c) {
    const double low = std::min(motion.start.row(c).minCoeff(), motion.end.row(c).minCoeff());
    const double high = std::max(motion.start.row(c).maxCoeff(), motion.end.row(c).maxCoeff());
    // Differences round to the right sign, so no margin is needed here.
    if (low > 0 || high < 0) return true;
  }
  return false;
}

// Conservative advancement (Mirtich 1996) with separating directions: at each t the closest direction n proves an
// interval [t, until) free, in which n . r_k stays positive for all corners k; t moves to its end until the end of the
// motion is passed or nothing is gained, which means contact within rounding. After kPatience iterations the best of
// all plausible directions and the coplanarity cubic extend the interval: they cost more, and help thin pairs that
// turn.
template <int N>
std::optional<double> first_contact(const RelativeMotion<N>& motion) {
  if (!motion.start.allFinite() || !motion.end.allFinite()) return 0;
  if (boxes_apart(motion)) return std::nullopt;
  double t = 0;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    double until = reach(project(motion, detail::closest_direction(motion.at(t))), t);
    if (until == t || iteration >= kPatience) until = std::max(until, detail::best_reach(motion, t));
    if (until <= 1 && iteration >= kPatience) until = std::max(until, detail::coplanarity_reach(motion, t));
    if (until > 1) return std::nullopt;
    if (!(until > t)) return t;
    t = until;
  }
  return t;
}

}  // namespace

// Corners v - f_j of the Minkowski difference of a point and a triangle.
std::optional<double> vertex_face(const Vec3& v_t0, const Vec3& a_t0, const Vec3& b_t0, const Vec3& c_t0,
                                  const Vec3& v_t1, const Vec3& a_t1, const Vec3& b_t1, const Vec3& c_t1) {
  RelativeMotion<3> motion;
  motion.start << v_t0 - a_t0, v_t0 - b_t0, v_t0 - c_t0;
  motion.end << v_t1 - a_t1, v_t1 - b_t1, v_t1 - c_t1;
  return first_contact(motion);
}

// Corners a_i - b_j of the Minkowski difference of two segments, a parallelogram.
std::optional<double> edge_edge(const Vec3& a0_t0, const Vec3& a1_t0, const Vec3& b0_t0, const Vec3& b1_t0,
                                const Vec3& a0_t1, const Vec3& a1_t1, const Vec3& b0_t1, const Vec3& b1_t1) {
  RelativeMotion<4> motion;
  motion.start << a0_t0 - b0_t0, a0_t0 - b1_t0, a1_t0 - b0_t0, a1_t0 - b1_t0;
  motion.end << a0_t1 - b0_t1, a0_t1 - b1_t1, a1_t1 - b0_t1, a1_t1 - b1_t1;
  return first_contact(motion);
}

}  // namespace sinew::ccd
