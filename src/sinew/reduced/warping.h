// Modal warping (Choi and Ko 2005): modes of linear elasticity, whose displacements turn with what they turn,
//   x = X + R(w) U q,   w = Psi q,   R(w) = int_0^1 exp(s [w]x) ds,
// so that a body may bend far by an elastic energy that is quadratic in q. w is the rotation vector of the mode at a
// place, half of the displacements' curl; R averages the rotations on the way from 0 to w.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// R(w) u and its derivatives.
struct WarpedVector {
  Vec3 place;    // R u
  Mat3 turn;     // R, the derivative by u
  Mat3 by_turn;  // the derivative by w
};
WarpedVector warp(const Vec3& w, const Vec3& u);
Vec3 warp_place(const Vec3& w, const Vec3& u);  // R u alone

// A warped place at q is one without warping whose modes are D and whose rest place is shifted by `offset`, to first
// order: R(Psi q) U q = D q + offset and its derivative D. modes, turns: U, Psi, 3 x r; D: 3 x r.
struct LocalModes {
  MatX modes;
  Vec3 offset;
};
void linearize_warp(const Eigen::Ref<const MatX>& modes, const Eigen::Ref<const MatX>& turns,
                    const Eigen::Ref<const VecX>& q, LocalModes& local);

// Psi of all vertices of a system, 3 n x r: half of the curl of the modes (3 n x r), the mean over the tets of a vertex
// by volume [rad/m].
MatX mode_turns(const System& system, const MatX& modes);

}  // namespace sinew
