// Products with the gradients of dense modes at the points' tets, dF/dy = G_c (9 x columns of the modes that move the
// tet; theory, section 9). Rows of G are in the order of F's entries in ElasticPoints, so that F = I + G y is one
// product a chunk.
#pragma once

#include <span>
#include <vector>

#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/elastic_points.h"

namespace sinew {

// Nothing is allocated after construction. Methods are not for concurrent calls on one object.
class ModePoints {
 public:
  // weights: points x free (modal cubature, in the order of ElasticPoints' points): the coordinate j of a point's force
  // counts w_j times; empty: once.
  ModePoints(const System& system, const AxisRows& axes, const ElasticPoints& points, const MatX& weights);

  // F = I + G y, or without the identity.
  void deformation_gradients(const Eigen::Ref<const VecX>& y, bool displacement, std::span<double> F);

  // g += G^T P of the unknowns, each with its weight.
  void add_forces(std::span<const double> P, Eigen::Ref<VecX> g);

  // H += D G^T K G D, D = diag(sqrt(w)) at each point: symmetric and positive semidefinite where K is, and the
  // derivative of the forces where a point's weights are equal. Lower triangle.
  void add_stiffness(std::span<const double> K, MatX& H);

  // J += D^2 G^T K G, the derivative of the forces (EP, equation 11).
  void add_jacobian(std::span<const double> K, MatX& J);

 private:
  struct Chunk {
    Index pack_begin = 0, pack_end = 0;
    std::vector<Index> columns;  // of y, ascending: unknowns first
    Index free = 0;              // of them
    MatX gradient;               // 9 slots x columns [1/m]
    MatX force, root;            // gradient of the unknowns, times w and its root; empty: gradient
  };

  void multiply_stiffness(const Chunk& chunk, std::span<const double> K, const MatX& G);

  Index free_ = 0;
  std::vector<Chunk> chunks_;
  // Work space.
  VecX part_, rows_part_;
  MatX product_, square_;
};

}  // namespace sinew
