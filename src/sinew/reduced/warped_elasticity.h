// The elasticity of warped substructures (warping.h), which is that at rest: quadratic in the modes' coordinates q of
// each, whatever its frame, with the stiffness K = U^T K U and damping by its rate xi,
//   E = sum_p 1/2 q^T K q + xi / (2 h^) (q - q^)^T K (q - q^),   q^ of the reference (theory, section 2).
#pragma once

#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/model/system.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/position_space.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

class WarpedElasticity {
 public:
  // All parts are warped. The arguments must outlive this.
  WarpedElasticity(const System& system, const std::vector<Substructure>& parts, const FrameCoordinates& coordinates);

  // The materials are others: K of each part anew, in the modes that it has.
  void adapt();
  // z: of mode_points.h, at the reference of the step.
  void begin_step(const SpaceStep& step, const VecX& reference);

  double energy(const VecX& z) const;  // without damping, of any z [J]
  double value(const VecX& z) const;   // E
  // By the unknowns of the frames: g += scale dE/dq, H += scale d2E/dq2.
  void add_gradient(const VecX& z, MatX& g) const;
  void add_hessian(BlockCholesky& H) const;

 private:
  const System& system_;
  const std::vector<Substructure>& parts_;
  const FrameCoordinates& frames_;
  std::vector<MatX> stiffness_;  // K [1/s^2]
  std::vector<double> rate_;     // xi, by substructure [s]
  // Of the step.
  const SpaceStep* step_ = nullptr;
  VecX reference_;
};

}  // namespace sinew
