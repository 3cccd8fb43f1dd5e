// Deformation gradients of tets from the displacements y of all vertices, n x 3.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/gradient_set.h"
#include "sinew/model/system.h"
#include "sinew/reduced/elastic_points.h"

namespace sinew {

class VertexGradients final : public GradientSet {
 public:
  // `points` has each tet at most once, in any order of slots. The system must outlive this.
  VertexGradients(const System& system, const ElasticPoints& points);

  void deformation_gradients(const MatX& y, std::span<double> F) override { add_up(y, false, F); }
  void directions(const MatX& d, std::span<double> dF) override { add_up(d, true, dF); }
  void add_forces(std::span<const double> P, MatX& g) override;
  // H must be a VertexHessian.
  void add_stiffness(std::span<const double> K, CoordinateHessian& H) override;

 private:
  void add_up(const MatX& y, bool direction, std::span<double> F) const;

  const System& system_;
  std::vector<Index> slot_tet_;
  std::vector<double> shape_;               // 12 for each slot: gradients of its tet's hat functions [1/m]
  std::vector<std::int64_t> corner_begin_;  // by vertex, index into corners_
  std::vector<Index> corners_;              // 4 slot + corner
};

}  // namespace sinew
