// The inertia of a substructure by its unknowns. A rotating frame makes it depend on the placement.
#pragma once

#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

class FrameInertia {
 public:
  // M: QuadraticTerms::mass() of the substructure's shape functions. The arguments must outlive this.
  FrameInertia(const Substructure& sub, Index part, const FrameCoordinates& coordinates, const MatX& M);

  // block += factor J^T M J at a placement, the lower triangle, for the substructure's unknowns.
  void add_hessian(const Placement& at, double factor, MatX& block);
  const MatX& of_modes() const { return of_modes_; }  // U^T M U

 private:
  const FrameCoordinates& frames_;
  const Substructure& sub_;
  Index part_;
  const MatX& M_;
  MatX of_modes_;
  Eigen::Matrix3Xd arms_, arm_product_;  // work space
};

}  // namespace sinew
