// Dead loads on warped substructures (warping.h), whose work is not linear in the coordinates. Each cluster of vertices
// (mass_clusters.h) gives one point for its weight and one for each traction on it. The mean of the cluster's rotations
// rotates the point:
//   E = -sum_s f_s . x_s(q).
// In a body with a skeleton, the weight of a cluster is what it feels as its bones move (model/skin.h).
// Gravity and accelerations of a floating substructure are not included: its inertia adds them with its own mass
// matrix, so that a body in free fall does not bend.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/coordinate_energy.h"
#include "sinew/reduced/mass_clusters.h"
#include "sinew/reduced/material_points.h"

namespace sinew {

class WarpedLoads final : public CoordinateEnergy {
 public:
  // The arguments must outlive this.
  WarpedLoads(const System& system, const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
              const std::vector<MassCluster>& clusters);

  // Sets the forces to those at the end of the step.
  void begin_step(const CoordinateStep& step, const MatX& start) override;
  double value(const MatX& y) override;
  void add_gradient(const MatX& y, MatX& G) override;
  void add_hessian(const MatX&, Projection, CoordinateHessian&) override {}  // the Hessian is only the curvature of y
  double gravity(const MatX& y) const override;

 private:
  void place(const MatX& y) const;

  const System& system_;
  const std::vector<Substructure>& parts_;
  const FrameCoordinates& frames_;
  std::vector<std::pair<Index, SkinLoad>> skin_loads_;  // points, and what moves them
  std::vector<Index> load_;                             // by point: index into System::loads; -1: weight of masses
  double scale_ = 1;                                    // a h^2 of the step
  mutable std::optional<MaterialPoints> points_;
  Points force_;  // [N]
  // Work space.
  mutable Placement at_;
  mutable Points x_;
};

}  // namespace sinew
