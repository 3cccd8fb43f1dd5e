// The Hessian of a potential by the unknowns of a subspace, and its factor. Each kinematics has its own layout, to
// which its point sets, gradient sets and energies add.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// H = B + sum_k c_k u_k u_k^T with the blocks B of the layout, and terms of rank one, which solves treat by the formula
// of Woodbury (linalg/rank_correction.h).
class CoordinateHessian {
 public:
  virtual ~CoordinateHessian() = default;

  // Call if other points may touch from now on, so that earlier pairs need not stay in the pattern.
  virtual void forget_pairs() {}
  // Sets H = 0. Additions until the next call are at the coordinates y.
  void begin(const MatX& y) {
    ranks_.clear();
    begin_blocks(y);
  }
  // H += factor u u^T, u = J^T G, for a gradient G by y (CoordinateEnergy::add_gradient). factor > 0.
  void add_rank(double factor, const MatX& G);
  // Diagonal of H, and y = H d (zero where y is prescribed). Call both before factor().
  void diagonal(MatX& D);
  void multiply(const MatX& d, MatX& Hd);
  // Factors H = L L^T, or with pivots if an unsymmetric term was added. Returns false if H is not positive definite or
  // not finite. May overwrite H.
  bool factor();
  // d = -H^-1 g with the last factor; zero where y is prescribed.
  void solve(const MatX& g, MatX& d);
  // The diagonal of H, which is used to compare directions of modes. Without terms of rank one.
  virtual void scales(MatX& /*diagonal*/) const {}

 protected:
  // The functions above for the blocks alone.
  virtual void begin_blocks(const MatX& y) = 0;
  virtual void diagonal_of_blocks(MatX& D) = 0;
  virtual void multiply_blocks(const MatX& d, MatX& Hd) = 0;
  virtual bool factor_blocks() = 0;
  virtual void solve_blocks(const MatX& g, MatX& d) = 0;
  // u = J^T G by the unknowns at the y of begin(), zero where y is prescribed.
  virtual void pull_back(const MatX& G, MatX& u) const = 0;

 private:
  struct Rank {
    double factor = 0;
    MatX u, solved;  // solved: B^-1 u
  };

  std::vector<Rank> ranks_;
  MatX inverse_;  // (C^-1 + U^T B^-1 U)^-1
  VecX along_;
};

// Returns H as the layout of a kinematics. Throws std::bad_cast if H has another layout.
template <class Layout>
Layout& in_layout(CoordinateHessian& H) {
  return dynamic_cast<Layout&>(H);
}

}  // namespace sinew
