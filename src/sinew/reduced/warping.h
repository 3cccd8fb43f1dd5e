// Modal warping (Choi and Ko 2005): the displacements of linear modes rotate with the local rotation. A body can then
// bend far although its elastic energy is quadratic in q:
//
//   x = X + R(w) U q,   w = Psi q,   R(w) = int_0^1 exp(s [w]x) ds.
//
// The rotation vector w at a point is half the curl of the displacements. R averages the rotations from 0 to w.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

// The warped displacement R(w) u and its derivatives.
struct WarpedVector {
  Vec3 place;    // R u
  Mat3 turn;     // R, the derivative by u
  Mat3 by_turn;  // the derivative by w
};
WarpedVector warp(const Vec3& w, const Vec3& u);
Vec3 warp_place(const Vec3& w, const Vec3& u);  // returns only R u

// The linearisation of a warped displacement at q: R(Psi q) U q = D q + offset with the derivative D. To first order
// the point has the modes D and a rest position shifted by `offset`. modes = U and turns = Psi are 3 x r, as is D.
struct LocalModes {
  MatX modes;
  Vec3 offset;
};
void linearize_warp(const Eigen::Ref<const MatX>& modes, const Eigen::Ref<const MatX>& turns,
                    const Eigen::Ref<const VecX>& q, LocalModes& local);

// Returns Psi of all vertices of a system, 3 n x r [rad/m]. It is half the curl of `modes` (3 n x r), averaged by
// volume over the tets of each vertex.
MatX mode_turns(const System& system, const MatX& modes);

}  // namespace sinew
