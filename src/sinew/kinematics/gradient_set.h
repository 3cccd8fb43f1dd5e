// The deformation gradients F = I + dU y of a subspace at the slots of ElasticPoints, in the array layout of
// ElasticPoints.
#pragma once

#include <span>

#include "sinew/core/types.h"
#include "sinew/kinematics/coordinate_hessian.h"

namespace sinew {

class GradientSet {
 public:
  virtual ~GradientSet() = default;

  virtual void deformation_gradients(const MatX& y, std::span<double> F) = 0;
  // Sets dF = dU d for a direction d of the unknowns.
  virtual void directions(const MatX& d, std::span<double> dF) = 0;

  // g += dU^T P, by the unknowns.
  virtual void add_forces(std::span<const double> P, MatX& g) = 0;
  // H += dU^T K dU with symmetric 9 x 9 matrices K, one for each slot.
  virtual void add_stiffness(std::span<const double> K, CoordinateHessian& H) = 0;

  // Whether forces are the gradient of an energy. They are not if each coordinate has its own cubature weights.
  virtual bool has_energy() const { return true; }
  // H += derivative of the forces, which may be unsymmetric. Call this last.
  virtual void add_jacobian(std::span<const double> K, CoordinateHessian& H) { add_stiffness(K, H); }
};

}  // namespace sinew
