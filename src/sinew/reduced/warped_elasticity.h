// The elasticity of warped substructures (warping.h). It is that of the rest state, quadratic in the coordinates q of
// each substructure p and independent of the substructure's frame:
//
//   E = sum_p 1/2 q^T K q + xi / (2 h^) (q - q^)^T K (q - q^).
//
// K is the reduced stiffness, xi the damping rate, and q^ the reference coordinates (theory, section 2).
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/coordinate_energy.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

class WarpedElasticity final : public CoordinateEnergy {
 public:
  // All parts must be warped. The arguments must outlive this.
  WarpedElasticity(const System& system, const std::vector<Substructure>& parts, const FrameCoordinates& coordinates);

  // If materials change, recomputes K of each part in its existing modes.
  void adapt(Change change) override;
  void begin_step(const CoordinateStep& step, const MatX& start) override;
  double value(const MatX& y) override;
  void add_gradient(const MatX&, MatX&) override {}
  void add_unknown_gradient(const MatX& y, MatX& g) override;
  void add_hessian(const MatX& y, Projection projection, CoordinateHessian& H) override;
  double elastic(const MatX& y) const override;  // without damping

 private:
  const VecX& modes_at(const MatX& y) const;
  const System& system_;
  const std::vector<Substructure>& parts_;
  const FrameCoordinates& frames_;
  std::vector<MatX> stiffness_;  // K of each substructure [1/s^2]
  std::vector<double> rate_;     // xi of each substructure [s]
  // Data of the step.
  const CoordinateStep* step_ = nullptr;
  VecX reference_;        // reference coordinates, z of mode_points.h
  mutable Placement at_;  // work space
};

}  // namespace sinew
