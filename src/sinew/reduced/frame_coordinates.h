// Coordinates of substructures and their frames (theory, section 9). The displacements of a floating substructure at
// its rest places X are linear in three times 4 + 3 r numbers:
//
//   u(X) = C phi(X),   C = [t - c | R - I | R q_1 | .. | R q_r],   phi = (1, X - c, U_1(X), .., U_r(X)).
//
// Velocities, predictors and accelerations are therefore linear combinations of C. Positions are those C that belong to
// a frame (t, R) and coordinates q.
#pragma once

#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

// Frames and coordinates at one y.
struct Placement {
  std::vector<Mat3> turn;   // R; identity for parts without a frame
  std::vector<Vec3> shift;  // t [m]; zero for parts without a frame
  VecX z;                   // of mode_points.h
};

// y is one column: C of each floating substructure by columns, q of each other one, then q_D (mode_points.h). Unknowns
// of each substructure: a shift [m] and a turn [rad] about t in world axes if it floats, then q.
class FrameCoordinates {
 public:
  using Ambient = Eigen::Map<Eigen::Matrix3Xd>;
  using ConstAmbient = Eigen::Map<const Eigen::Matrix3Xd>;

  explicit FrameCoordinates(const std::vector<Substructure>& parts);

  Index rows() const { return prescribed_begin() + prescribed_; }  // of y
  Index y_begin(Index part) const { return y_begin_[part]; }       // of C or q in y
  Index prescribed_begin() const { return y_begin_.back(); }       // of q_D in y
  Index prescribed() const { return prescribed_; }
  Index unknowns() const { return begin_.back(); }
  Index begin(Index part) const { return begin_[part]; }      // of its unknowns
  const std::vector<Index>& sizes() const { return sizes_; }  // unknowns of each part
  bool any_floats() const { return floats_; }

  ConstAmbient ambient(Index part, const MatX& y) const;  // C; of a part that floats
  Ambient ambient(Index part, MatX& y) const;
  auto q_of(Index part, const MatX& y) const { return y.col(0).segment(y_begin_[part], parts_[part].mode_count()); }
  auto q_of(Index part, MatX& y) const { return y.col(0).segment(y_begin_[part], parts_[part].mode_count()); }
  auto modes(Index part, const VecX& z) const { return z.segment(z_begin_[part], parts_[part].mode_count()); }
  auto modes(Index part, VecX& z) const { return z.segment(z_begin_[part], parts_[part].mode_count()); }

  // The placement of a y that is a position. modes_at(): z of any y, with the turns of `at`.
  void place(const MatX& y, Placement& at) const;
  void modes_at(const MatX& y, const Placement& at, VecX& z) const;
  // q of one part at any y, with the turns of y.
  void modes_of(Index part, const MatX& y, VecX& q) const;
  void store(const Placement& at, MatX& y) const;

  // The position that the unknowns d times t lead to: R <- exp(turn) R, t <- t + shift, q <- q + dq.
  void move(const Placement& at, const MatX& d, double t, MatX& y) const;
  // dy of a direction d, and its transpose: g = J^T G for a gradient G by y.
  void tangent(const Placement& at, const MatX& d, MatX& y) const;
  void pull_back(const Placement& at, const MatX& G, MatX& g) const;
  // The projection to the shifts and turns that a part may have, 6 x 6. confine() removes the others from g and H.
  const MatX& allowed(Index part) const { return allowed_[part]; }  // empty: all
  void confine(MatX& g) const;
  void confine(BlockCholesky& H) const;
  // The prescribed part of the shift C_0 of a y.
  Vec3 prescribed_shift(Index part, const MatX& y) const;
  // The acceleration of y at constant rates d of the unknowns.
  void curvature(const Placement& at, const MatX& d, MatX& a) const;

 private:
  const std::vector<Substructure>& parts_;
  std::vector<Index> y_begin_, z_begin_, begin_, sizes_;
  Index prescribed_ = 0;
  bool floats_ = false;
  std::vector<MatX> allowed_;
  mutable Placement moved_;  // work space
};

// The rotation by |w| about w (Rodrigues).
Mat3 rotation(const Vec3& w);

// The rotation nearest to one that rounding has changed.
Mat3 rounded_off(const Mat3& R);

// J of a place w t + R a by the unknowns of its frame, 3 x (6 + r), into the first columns: [w I | -[R a]x | R D]. The
// arm is R a, and modes is D, the derivative of a by q.
void frame_row(const Mat3& turn, double weight, const Vec3& arm, const Eigen::Ref<const MatX>& modes,
               Eigen::Ref<Eigen::Matrix3Xd> J);

}  // namespace sinew
