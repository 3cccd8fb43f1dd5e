// Maps between full space and the coordinates of substructures: positions and motions of all vertices, and projections
// back, nearest in the mass norm. The cost grows with the mesh, so no step uses these maps.
#pragma once

#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/model/system.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/frame_inertia.h"
#include "sinew/reduced/substructure.h"
#include "sinew/reduced/warping.h"

namespace sinew {

class SubstructureLift {
 public:
  // inertia: of each substructure. The arguments must outlive this.
  SubstructureLift(const System& system, const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
                   std::vector<FrameInertia>& inertia);

  // Set u (3 x dynamic_count): displacements() to the displacements at y, motions() to those of a velocity,
  // acceleration or difference v at a position. vertices: those that are needed, of one body, ascending; none: all.
  void displacements(const MatX& y, Points& u, std::span<const Index> vertices = {}) const;
  void motions(const MatX& at, const MatX& v, Points& u, std::span<const Index> vertices = {}) const;

  // project() sets the free part of y whose positions are nearest to u. project_velocity() sets the possible velocity
  // at a position that is nearest to v.
  void project(const Points& u, MatX& y) const;
  void project_velocity(const MatX& at, const Points& v, MatX& y) const;

  // See Kinematics.
  MatX restricted(const MatX& y, const Points& g) const;
  double inverse_mass_square(const MatX& y, const MatX& r) const;
  void accelerate(const MatX& y, const MatX& r, MatX& a) const;

 private:
  static Mat3 nearest_turn(const Substructure& part, const Mat3& moments);
  void lift_by(const MatX& y, const Placement& at, bool is_position, std::span<const Index> vertices, Points& u) const;
  Vec3 vertex_row(Index part, Index v, const Placement& at, LocalModes& local, Eigen::Matrix3Xd& J) const;
  void fit_warped(Index part, const Points& x, Placement& at) const;
  BlockCholesky masses(const Placement& at) const;
  MatX pulled_back(const Placement& at, const Points& g) const;

  const System& system_;
  const std::vector<Substructure>& parts_;
  const FrameCoordinates& frames_;
  std::vector<FrameInertia>& inertia_;
  mutable Placement placement_;  // work space
};

}  // namespace sinew
