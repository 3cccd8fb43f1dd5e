// Points on substructures for contact, springs and probes: vertices and weighted sums of vertices.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/substructure.h"
#include "sinew/reduced/warping.h"

namespace sinew {

// The weighted sum of vertices of one substructure. If that floats, the sum is at w t + R (X + U q), X the sum of
// X_v - c. Otherwise it is at X + U q + D q_D, X the sum of X_v. Warping turns U q by R(Psi q) (warping.h).
struct MaterialPoint {
  Index part = 0;
  double weight = 0;         // w, the sum of the weights
  Vec3 rest = Vec3::Zero();  // X
  MatX modes;                // U, 3 x r
  MatX turns;                // Psi, 3 x r, the mean by weight; empty: no warping
  MatX prescribed;           // D, 3 x 4 motions: by each axis' numbers; empty: nothing is prescribed
};

// vertices: of the system, each with its weight; all of the substructure `part`.
MaterialPoint make_material_point(const System& system, const std::vector<Substructure>& parts, Index part,
                                  std::span<const std::pair<Index, double>> vertices);

// The material points of each substructure side by side, so that one product moves them. Nothing is allocated after
// construction. Warped points are linearised at the placement of the last motions() or settle(), to which
// add_gradient() and row() refer.
class MaterialPoints {
 public:
  MaterialPoints(const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
                 std::vector<MaterialPoint> points);

  Index count() const { return static_cast<Index>(part_.size()); }
  Index part(Index point) const { return part_[point]; }

  void settle(const Placement& at);

  // Into the first columns of `out`: positions at a placement, motions by a direction d, and places at any y that a
  // time integrator combines.
  void positions(const Placement& at, Points& out);
  void motions(const Placement& at, const MatX& d, Points& out);
  void combined(const MatX& y, Points& out);

  // G += the gradient by y of a function whose gradient by the points is f (3 x at least count()).
  void add_gradient(const Points& f, MatX& G) const;
  void add_gradient(Index point, const Vec3& f, MatX& G) const;

  // J of one point, 3 x unknowns of its substructure, into the first columns.
  void row(const Placement& at, Index point, Eigen::Ref<Eigen::Matrix3Xd> J) const;

 private:
  struct Group {
    std::vector<Index> point;
    VecX weight;
    Points rest;  // X, with the offsets of warping
    MatX modes;   // 3 m x r; of warping D
    // For warping: X, U and Psi, and the q of the linearisation D.
    Points straight_rest;
    MatX straight_modes, turns;
    VecX q;
    std::vector<Mat3> by_modes, by_turns;  // R and dR u/dw
    MatX prescribed;                       // 3 m x 4 motions
    VecX moved, turned;                    // work space, 3 m
    Points place;                          // 3 x m
  };
  auto modes(const Group& group, Index place) const { return group.modes.middleRows(3 * place, 3); }

  static void linearize(Group& group, const Eigen::Ref<const VecX>& q);
  static void place(Group& group, const Eigen::Ref<const VecX>& q);

  const std::vector<Substructure>& parts_;
  const FrameCoordinates& coordinates_;
  VecX combined_;                    // q of what a time integrator combines
  std::vector<Index> part_, place_;  // of each point: its substructure, its number in that group
  std::vector<Group> groups_;        // by substructure
};

}  // namespace sinew
