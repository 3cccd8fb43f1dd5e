// Dead loads on warped substructures (warping.h): their work is not linear in the coordinates. Each cluster of vertices
// (mass_clusters.h) is one site for its weight and one for each traction on it, turned by the mean of its rotations:
//   E = -sum_s f_s . x_s(q).
// Gravity and accelerations of a substructure that floats are left to its inertia, which has the same mass matrix, so
// that a body in free fall does not bend.
#pragma once

#include <optional>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/mass_clusters.h"
#include "sinew/reduced/sites.h"

namespace sinew {

class WarpedLoads {
 public:
  // The arguments must outlive this.
  WarpedLoads(const System& system, const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
              const std::vector<MassCluster>& clusters);

  // At the end of the step; ramp as of FaceLoad::traction().
  void begin_step(double time, double ramp);

  double value(const Placement& at);  // [J]
  // As a gradient by y.
  void add_gradient(const Placement& at, double scale, MatX& G);
  // sum m x of the clusters of substructures that are held [kg m].
  Vec3 moment(const Placement& at);

 private:
  void place(const Placement& at);

  const System& system_;
  const std::vector<Substructure>& parts_;
  std::vector<Index> load_;  // of each site, into System::loads; -1: of masses
  std::optional<Sites> sites_;
  Points force_, x_;  // [N], [m]
};

}  // namespace sinew
