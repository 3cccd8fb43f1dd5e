#include "sinew/reduced/warping.h"

#include <array>
#include <cmath>

#include "sinew/core/cross_matrix.h"
#include "sinew/mesh/quality.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

// R(w) = I + a [w]x + b [w]x^2 with a = (1 - cos t) / t^2, b = (t - sin t) / t^3, t = |w|, and da/dt / t, db/dt / t.
struct Coefficients {
  double a, b, a_rate, b_rate;
};

// Below t = 1 by the series sum_k (-t^2)^k / (2k + 2)! and sum_k (-t^2)^k / (2k + 3)!: the closed forms lose digits
// to cancellation there. Nine terms leave 1/20!.
Coefficients coefficients(double t) {
  Coefficients c{};
  if (t < 1) {
    const double s = -t * t;
    double even = 0.5, odd = 1.0 / 6, power = 1;  // 1 / (2 k + 2)!, 1 / (2 k + 3)!, s^k
    double power_before = 0;                      // s^(k - 1)
    for (int k = 0; k < 9; ++k) {
      c.a += even * power;
      c.b += odd * power;
      // d(s^k)/dt / t = -2 k s^(k-1)
      c.a_rate -= 2 * k * even * power_before;
      c.b_rate -= 2 * k * odd * power_before;
      even /= (2 * k + 3) * (2 * k + 4);
      odd /= (2 * k + 4) * (2 * k + 5);
      power_before = power;
      power *= s;
    }
    return c;
  }
  const double t2 = t * t, sine = std::sin(t), cosine = std::cos(t);
  c.a = (1 - cosine) / t2;
  c.b = (t - sine) / (t2 * t);
  c.a_rate = (sine / t - 2 * c.a) / t2;
  c.b_rate = (c.a - 3 * c.b) / t2;
  return c;
}

}  // namespace

// R(w) u and its derivatives (Choi and Ko 2005; theory, section 9, "Modal warping"). With v = w x u and z = w x v
//
//   R u = u + a v + b z,
//   d(R u)/dw = -a [u]x - b ([v]x + [w]x [u]x) + (a' v + b' z) w^T.
WarpedVector warp(const Vec3& w, const Vec3& u) {
  const Coefficients c = coefficients(w.norm());
  const Mat3 W = cross_matrix(w), U = cross_matrix(u);
  const Vec3 v = w.cross(u), z = w.cross(v);
  WarpedVector result;
  result.place = u + c.a * v + c.b * z;
  result.turn = Mat3::Identity() + c.a * W + c.b * W * W;
  result.by_turn = -c.a * U - c.b * (cross_matrix(v) + W * U) + (c.a_rate * v + c.b_rate * z) * w.transpose();
  return result;
}

// R(w) u alone, without derivatives.
Vec3 warp_place(const Vec3& w, const Vec3& u) {
  const Coefficients c = coefficients(w.norm());
  const Vec3 v = w.cross(u);
  return u + c.a * v + c.b * w.cross(v);
}

// Local modes D = R U + d(R u)/dw Psi at q, and the offset o = R u - D q: x = X + o + D q to first order. D q is
// summed from u and w, which loses less than from D.
void linearize_warp(const Eigen::Ref<const MatX>& modes, const Eigen::Ref<const MatX>& turns,
                    const Eigen::Ref<const VecX>& q, LocalModes& local) {
  const Vec3 u = modes * q, w = turns * q;
  const WarpedVector warped = warp(w, u);
  local.modes.noalias() = warped.turn * modes;
  local.modes.noalias() += warped.by_turn * turns;
  // D q is summed from u and w, which loses less than from D.
  local.offset = warped.place - warped.turn * u - warped.by_turn * w;
}

// Psi, half of the curl of each mode at the vertices: of a tet curl u = sum_i grad N_i x u_i, at a vertex the mean
// over its tets by volume.
MatX mode_turns(const System& system, const MatX& modes) {
  const Index n = system.dynamic_count;
  MatX turns = MatX::Zero(3 * n, modes.cols());
  VecX volume = VecX::Zero(n);
  Eigen::Matrix3Xd half_curl(3, modes.cols());
  for (Index t = 0; t < system.tet_count(); ++t) {
    const double own = tet_volume(system.rest, system.tets, t);
    const auto hats = hat_gradients(system.rest, system.tets, t);
    half_curl.setZero();
    for (int i = 0; i < 4; ++i)
      half_curl += 0.5 * own * cross_matrix(hats.col(i)) * modes.middleRows(3 * system.tets(i, t), 3);
    for (int i = 0; i < 4; ++i) {
      turns.middleRows(3 * system.tets(i, t), 3) += half_curl;
      volume[system.tets(i, t)] += own;
    }
  }
  for (Index v = 0; v < n; ++v)
    if (volume[v] > 0) turns.middleRows(3 * v, 3) /= volume[v];
  return turns;
}

}  // namespace sinew
