// The Hessian of a potential by the unknowns of a subspace, and its factor. Each kinematics has a layout of its own;
// its point sets, gradient sets and energies add to it.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

class CoordinateHessian {
 public:
  virtual ~CoordinateHessian() = default;

  // Call if other points may touch from now on.
  virtual void forget_pairs() {}
  // H = 0. Additions until the next call belong to the coordinates y.
  virtual void begin(const MatX& y) = 0;
  // The diagonal of H, and y = H d, zero where y is prescribed; both before factor().
  virtual void diagonal(MatX& D) = 0;
  virtual void multiply(const MatX& d, MatX& Hd) = 0;
  // Factors H = L L^T, or with pivots if an unsymmetric term was added. Returns false if H is not positive definite or
  // not finite. H itself may be lost.
  virtual bool factor() = 0;
  // d = -H^-1 g with the last factor; zero where y is prescribed.
  virtual void solve(const MatX& g, MatX& d) = 0;
  // The diagonal of H, by which directions of modes are compared.
  virtual void scales(MatX& /*diagonal*/) const {}
};

// H as the layout of a kinematics; throws std::bad_cast if it is that of another one.
template <class Layout>
Layout& in_layout(CoordinateHessian& H) {
  return dynamic_cast<Layout&>(H);
}

}  // namespace sinew
