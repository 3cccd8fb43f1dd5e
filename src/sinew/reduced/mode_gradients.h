// Deformation gradients of substructures (mode_points.h) by the coordinates of their frames. Only modes change the
// elastic energy, not shifts and rotations of a frame.
#pragma once

#include <vector>

#include "sinew/kinematics/gradient_set.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/mode_points.h"

namespace sinew {

class ModeGradients final : public GradientSet {
 public:
  // point_part: by point, its index into `parts`. `parts` and `coordinates` must outlive this.
  ModeGradients(const System& system, const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
                std::span<const Index> point_part, const ElasticPoints& points);

  void deformation_gradients(const MatX& y, std::span<double> F) override;
  void directions(const MatX& d, std::span<double> dF) override;
  void add_forces(std::span<const double> P, MatX& g) override;
  // H must be a ModeHessian. add_stiffness() adds the symmetric Jacobian, add_jacobian() the exact one (EP, equation
  // 11).
  void add_stiffness(std::span<const double> K, CoordinateHessian& H) override;
  bool has_energy() const override { return has_energy_; }
  void add_jacobian(std::span<const double> K, CoordinateHessian& H) override;

 private:
  const std::vector<Substructure>& parts_;
  const FrameCoordinates& frames_;
  ModePoints points_;
  bool has_energy_ = true;
  // Work space.
  Placement at_;
  VecX z_;
};

}  // namespace sinew
