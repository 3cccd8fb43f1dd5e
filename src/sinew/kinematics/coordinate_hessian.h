// The Hessian of a potential by the unknowns of a subspace, and its factor. Each kinematics has its own layout, to
// which its point sets, gradient sets and energies add.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

class CoordinateHessian {
 public:
  virtual ~CoordinateHessian() = default;

  // Call if other points may touch from now on, so that earlier pairs need not stay in the pattern.
  virtual void forget_pairs() {}
  // Sets H = 0. Additions until the next call are at the coordinates y.
  virtual void begin(const MatX& y) = 0;
  // Diagonal of H, and y = H d (zero where y is prescribed). Call both before factor().
  virtual void diagonal(MatX& D) = 0;
  virtual void multiply(const MatX& d, MatX& Hd) = 0;
  // Factors H = L L^T, or with pivots if an unsymmetric term was added. Returns false if H is not positive definite or
  // not finite. May overwrite H.
  virtual bool factor() = 0;
  // d = -H^-1 g with the last factor; zero where y is prescribed.
  virtual void solve(const MatX& g, MatX& d) = 0;
  // The diagonal of H, which is used to compare directions of modes.
  virtual void scales(MatX& /*diagonal*/) const {}
};

// Returns H as the layout of a kinematics. Throws std::bad_cast if H has another layout.
template <class Layout>
Layout& in_layout(CoordinateHessian& H) {
  return dynamic_cast<Layout&>(H);
}

}  // namespace sinew
