// Points of substructures for contact, springs and probes: vertices, and weighted sums of vertices.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/substructure.h"
#include "sinew/reduced/warping.h"

namespace sinew {

// The weighted sum of vertices of one substructure. In a floating substructure it is at w t + R (X + U q), where X is
// the sum of X_v - c. Otherwise it is at X + U q + D q_D, where X is the sum of X_v. Warping replaces U q by R(Psi q) U
// q (warping.h).
struct MaterialPoint {
  Index part = 0;
  double weight = 0;         // w, the sum of the weights
  Vec3 rest = Vec3::Zero();  // X
  MatX modes;                // U, 3 x r
  MatX turns;                // Psi, 3 x r, weighted mean over the vertices; empty: no warping
  MatX prescribed;           // D, 3 x 4 motions, by the numbers along each axis; empty: none
};

// Makes a material point. vertices: numbers in the system, each with its weight; all belong to the substructure `part`.
MaterialPoint make_material_point(const System& system, const std::vector<Substructure>& parts, Index part,
                                  std::span<const std::pair<Index, double>> vertices);

// Stores the material points of each substructure side by side, so that one product moves all of them. Nothing is
// allocated after construction. Warped points are linearised at the placement of the last motions() or settle() call;
// add_gradient() and row() refer to this placement.
class MaterialPoints {
 public:
  MaterialPoints(const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
                 std::vector<MaterialPoint> points);

  Index count() const { return static_cast<Index>(part_.size()); }
  Index part(Index point) const { return part_[point]; }

  void settle(const Placement& at);

  // Write into the first columns of `out`: positions at a placement, motions by a direction d, and combined positions
  // at any y that a time integrator forms.
  void positions(const Placement& at, Points& out);
  void motions(const Placement& at, const MatX& d, Points& out);
  void combined(const MatX& y, Points& out);

  // G += gradient by y of a function whose gradient by the points is f (3 x at least count()).
  void add_gradient(const Points& f, MatX& G) const;
  void add_gradient(Index point, const Vec3& f, MatX& G) const;

  // Writes J of one point, 3 x unknowns of its substructure, into the first columns.
  void row(const Placement& at, Index point, Eigen::Ref<Eigen::Matrix3Xd> J) const;

 private:
  struct Group {
    std::vector<Index> point;
    VecX weight;
    Points rest;  // X, with the offsets of warping
    MatX modes;   // U, 3 m x r; with warping D of the linearisation
    // With warping: X, U and Psi, and the q at which D was found.
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
  VecX combined_;                    // q of a y that a time integrator forms
  std::vector<Index> part_, place_;  // by point: its substructure, and its number in that group
  std::vector<Group> groups_;        // by substructure
};

}  // namespace sinew
