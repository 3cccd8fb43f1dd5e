// Coordinates of substructures and their frames (theory, section 9). The displacements of a floating substructure at
// its rest positions X are linear in 3 (4 + 3 r) numbers, the matrix C:
//
//   u(X) = C phi(X),   C = [t - c | R - I | R q_1 | .. | R q_r],   phi = (1, X - c, U_1(X), .., U_r(X)).
//
// Velocities, predictors and accelerations are therefore linear combinations of such C. Positions are only those C that
// belong to a frame (t, R) and coordinates q.
#pragma once

#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

// Frames and modal coordinates that belong to one y.
struct Placement {
  std::vector<Mat3> turn;   // R; identity for parts without a frame
  std::vector<Vec3> shift;  // t [m]; zero for parts without a frame
  VecX z;                   // coordinates of mode_points.h
};

// y is one column: for each substructure C by columns if it floats, else q; then q_D (mode_points.h). The unknowns of a
// floating substructure are a shift [m], a rotation [rad] about t in world axes, and q; those of any other substructure
// are q.
class FrameCoordinates {
 public:
  using Ambient = Eigen::Map<Eigen::Matrix3Xd>;
  using ConstAmbient = Eigen::Map<const Eigen::Matrix3Xd>;

  explicit FrameCoordinates(const std::vector<Substructure>& parts);

  Index rows() const { return prescribed_begin() + prescribed_; }  // size of y
  Index y_begin(Index part) const { return y_begin_[part]; }       // index of C or q in y
  Index prescribed_begin() const { return y_begin_.back(); }       // index of q_D in y
  Index prescribed() const { return prescribed_; }
  Index unknowns() const { return begin_.back(); }
  Index begin(Index part) const { return begin_[part]; }      // index of the part's unknowns
  const std::vector<Index>& sizes() const { return sizes_; }  // number of unknowns of each part
  bool any_floats() const { return floats_; }

  ConstAmbient ambient(Index part, const MatX& y) const;  // C of a floating part
  Ambient ambient(Index part, MatX& y) const;
  auto q_of(Index part, const MatX& y) const { return y.col(0).segment(y_begin_[part], parts_[part].mode_count()); }
  auto q_of(Index part, MatX& y) const { return y.col(0).segment(y_begin_[part], parts_[part].mode_count()); }
  auto modes(Index part, const VecX& z) const { return z.segment(z_begin_[part], parts_[part].mode_count()); }
  auto modes(Index part, VecX& z) const { return z.segment(z_begin_[part], parts_[part].mode_count()); }

  // place(): the placement of a y that is a position; store() is its inverse. modes_at(): z of any y, with the
  // rotations of `at`.
  void place(const MatX& y, Placement& at) const;
  void modes_at(const MatX& y, const Placement& at, VecX& z) const;
  // q of one part at any y, with the rotation of that y.
  void modes_of(Index part, const MatX& y, VecX& q) const;
  void store(const Placement& at, MatX& y) const;

  // Sets y to the position that t times the unknowns d lead to: R <- exp(turn) R, t <- t + shift, q <- q + dq.
  void move(const Placement& at, const MatX& d, double t, MatX& y) const;
  // tangent(): the change of y by a direction d of the unknowns, J d. pull_back(): g = J^T G for a gradient G by y.
  void tangent(const Placement& at, const MatX& d, MatX& y) const;
  void pull_back(const Placement& at, const MatX& G, MatX& g) const;
  // allowed(): the projection (6 x 6) to the shifts and rotations that a part may have. confine() removes the others
  // from g and H.
  const MatX& allowed(Index part) const { return allowed_[part]; }  // empty: all are allowed
  void confine(MatX& g) const;
  void confine(BlockCholesky& H) const;
  // The prescribed part of the shift C_0 in y.
  Vec3 prescribed_shift(Index part, const MatX& y) const;
  // Sets a to the acceleration of y at constant rates d of the unknowns.
  void curvature(const Placement& at, const MatX& d, MatX& a) const;

 private:
  const std::vector<Substructure>& parts_;
  std::vector<Index> y_begin_, z_begin_, begin_, sizes_;
  Index prescribed_ = 0;
  bool floats_ = false;
  std::vector<MatX> allowed_;
  mutable Placement moved_;  // work space
};

// The rotation by the angle |w| about w (Rodrigues).
Mat3 rotation(const Vec3& w);

// The rotation nearest to R, a rotation with rounding errors.
Mat3 rounded_off(const Mat3& R);

// Writes J of a position w t + R a by the unknowns of its frame into the first columns, 3 x (6 + r): [w I | -[R a]x | R
// D]. Here arm = R a, and modes = D, the derivative of a by q.
void frame_row(const Mat3& turn, double weight, const Vec3& arm, const Eigen::Ref<const MatX>& modes,
               Eigen::Ref<Eigen::Matrix3Xd> J);

}  // namespace sinew
