// Products with the gradients of dense modes at the tets of cubature points (theory, section 9). The deformation
// gradient of a point of a substructure is F = I + G q + G_D q_D in the substructure's frame, G of 9 x r. Rows of G are
// in the order of F's entries in ElasticPoints, so that F is one product a chunk.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

// Coordinates z are q of all substructures, one after another, then q_D, twelve of each motion: four along each axis.
// Nothing is allocated after construction. Methods are not for concurrent calls on one object.
class ModePoints {
 public:
  // part: of each point, into `parts`, which no pack of `points` mixes.
  ModePoints(const System& system, const std::vector<Substructure>& parts, std::span<const Index> part,
             const ElasticPoints& points);

  Index size() const { return static_cast<Index>(prescribed_begin_ + prescribed_); }  // of z
  Index begin(Index part) const { return begin_[part]; }                              // of its q in z
  Index prescribed_begin() const { return prescribed_begin_; }

  // F = I + G z, or without the identity.
  void deformation_gradients(const VecX& z, bool displacement, std::span<double> F);

  // g += G^T P, by q of all parts; a point's force on the coordinate j counts w_j times with modal cubature.
  void add_forces(std::span<const double> P, Eigen::Ref<VecX> g);

  // The block of each part += D G^T K G D, D = diag(sqrt(w)) at each point, in its last r rows and columns, lower
  // triangle. The sum is symmetric, and positive semidefinite if K is. If the weights of each point are equal, it is
  // the derivative of the forces.
  void add_stiffness(std::span<const double> K, BlockCholesky& H);

  // The block of each part += D^2 G^T K G, the derivative of the forces (EP, equation 11), both triangles.
  void add_jacobian(std::span<const double> K, std::vector<MatX>& J);

 private:
  struct Chunk {
    Index pack_begin = 0, pack_end = 0, part = 0;
    MatX gradient;     // 9 slots x r [1/m]
    MatX force, root;  // times w and its root; empty: gradient
    MatX prescribed;   // 9 slots x 12 motions; empty: none
    const MatX& symmetric() const { return root.size() > 0 ? root : gradient; }
  };

  void multiply_stiffness(const Chunk& chunk, std::span<const double> K, const MatX& G);
  int product_rows() const { return static_cast<int>(product_.rows()); }
  int square_rows() const { return static_cast<int>(square_.rows()); }

  std::vector<Index> begin_;
  Index prescribed_begin_ = 0, prescribed_ = 0;
  std::vector<Chunk> chunks_;
  MatX product_, square_;  // work space
};

}  // namespace sinew
