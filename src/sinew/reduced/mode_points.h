// Products with the gradients of dense modes at the tets of cubature points (theory, section 9). In its substructure's
// frame, the deformation gradient of a point is F = I + G q + G_D q_D, with G of size 9 x r. The rows of G have the
// order of F's entries in ElasticPoints, so that one product for each chunk gives F.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

// The coordinates z are q of all substructures, one after another, then q_D with twelve numbers for each motion: four
// along each axis. Nothing is allocated after construction. No concurrent calls on one object.
class ModePoints {
 public:
  // part: by point, its index into `parts`; no pack of `points` mixes parts.
  ModePoints(const System& system, const std::vector<Substructure>& parts, std::span<const Index> part,
             const ElasticPoints& points);

  Index size() const { return static_cast<Index>(prescribed_begin_ + prescribed_); }  // size of z
  Index begin(Index part) const { return begin_[part]; }                              // index of the part's q in z
  Index prescribed_begin() const { return prescribed_begin_; }

  // Sets F = I + G z; `displacement`: without I.
  void deformation_gradients(const VecX& z, bool displacement, std::span<double> F);

  // g += G^T P, by q of all parts. With modal cubature, the force of a point on coordinate j counts with the weight
  // w_j.
  void add_forces(std::span<const double> P, Eigen::Ref<VecX> g);

  // Adds D G^T K G D, with D = diag(sqrt(w)) at each point, to the block of each part: its last r rows and columns,
  // lower triangle. The sum is symmetric, and positive semidefinite if K is. If all
  // coordinates have the same weight at a point, the sum is the derivative of the forces.
  void add_stiffness(std::span<const double> K, BlockCholesky& H);

  // Adds D^2 G^T K G, the derivative of the forces (EP, equation 11), to the block of each part, both triangles.
  void add_jacobian(std::span<const double> K, std::vector<MatX>& J);

 private:
  struct Chunk {
    Index pack_begin = 0, pack_end = 0, part = 0;
    MatX gradient;     // 9 slots x r [1/m]
    MatX force, root;  // gradient times w, and times sqrt(w); empty: equal to gradient
    MatX prescribed;   // 9 slots x 12 motions; empty: nothing is prescribed
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
