// What of a substructure is quadratic in its coordinates and does not change with time, projected once: masses, and the
// moments by which accelerations and tractions act.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

class SubstructureInertia {
 public:
  SubstructureInertia(const System& system, const Substructure& sub, Index part, const FrameCoordinates& coordinates);

  // 1/2 |y|_M^2 of this part; G += factor M y.
  double energy(const MatX& y);
  void add_gradient(const MatX& y, double factor, MatX& G);
  // The block of the unknowns += factor J^T M J at a placement, lower triangle.
  void add_hessian(const Placement& at, double factor, MatX& block);

  // a . sum m u of the displacements at y, and sum m X.
  double moment(const Vec3& a, const MatX& y) const { return along(a, of_mass_, y); }
  const Vec3& rest_moment() const { return rest_moment_; }
  const MatX& of_modes() const { return of_modes_; }  // U^T M U
  // f += factor times the gradient of a . sum m u, or of traction . (integral of u over the faces of a load), by y.
  void add_acceleration(const Vec3& a, double factor, MatX& f) const { add_along(a, of_mass_, factor, f); }
  void add_traction(std::size_t load, const Vec3& traction, double factor, MatX& f) const {
    if (has_load_[load]) add_along(traction, of_load_[load], factor, f);
  }

 private:
  double along(const Vec3& a, const std::array<VecX, 3>& moment, const MatX& y) const;
  void add_along(const Vec3& a, const std::array<VecX, 3>& moment, double factor, MatX& f) const;

  const FrameCoordinates& frames_;
  const Substructure& sub_;
  Index part_;
  double mass_ = 0;                  // [kg]
  Vec3 rest_moment_ = Vec3::Zero();  // sum m X [kg m]
  // Of phi (frame_coordinates.h), alike along all axes, where it floats: M of 4 + 3 r; else of [q; q_D].
  MatX M_;
  MatX of_modes_;                             // U^T M U
  std::array<VecX, 3> of_mass_;               // moments of the masses, by axis; of a part that floats only the first
  std::vector<std::array<VecX, 3>> of_load_;  // of the shares of the faces' areas
  std::vector<char> has_load_;
  // Work space.
  VecX held_, product_;
  Eigen::Matrix3Xd arms_, arm_product_;
};

}  // namespace sinew
