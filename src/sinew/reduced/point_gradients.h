// Products with the gradients of the cubature points' tets, dF/dy = g (x) I_3, where g is a matrix of three columns
// (theory, section 6). Arrays over slots have the layout of ElasticPoints.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/kinematics/gradient_set.h"
#include "sinew/model/system.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

// Nothing is allocated after construction. No concurrent calls on one object.
class PointGradients final : public GradientSet {
 public:
  PointGradients(const System& system, const ReducedBasis& basis, const ElasticPoints& points);

  void deformation_gradients(const MatX& y, std::span<double> F) override { add_up(y, false, F); }
  void directions(const MatX& d, std::span<double> dF) override { add_up(d, true, dF); }
  // Adds forces to the rows of the free columns.
  void add_forces(std::span<const double> P, MatX& g) override;
  // H, a HandleHessian, += sum_c (g_c (x) I) K_c (g_c (x) I)^T.
  void add_stiffness(std::span<const double> K, CoordinateHessian& H) override;
  void add_stiffness(std::span<const double> K, MatX& H);

 private:
  // Some consecutive slots, and the free columns that move their tets: all columns with global handles, few with local
  // ones.
  struct Chunk {
    Index slot_begin = 0, slot_end = 0;
    std::vector<Index> columns;     // ascending
    std::array<MatX, 3> gradients;  // by set of axes: columns x 3 slots [1/m]
  };

  void add_up(const MatX& y, bool displacement, std::span<double> F);
  void add_set(const System& system, const ReducedBasis& basis, const ElasticPoints& points, int s);

  std::array<int, 3> set_;  // by axis: its set, index into ReducedBasis::sets
  Index columns_ = 0, free_ = 0;
  std::vector<Chunk> chunks_;
  std::vector<MatX> prescribed_gradients_;  // by set of axes: prescribed columns x 3 slots [1/m]
  // Work space.
  MatX y_part_, rows_part_, product_, square_;
};

}  // namespace sinew
