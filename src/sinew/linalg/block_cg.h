// Conjugate gradients for eight right-hand sides that share one search space (O'Leary 1980, The block conjugate
// gradient algorithm), with a multigrid preconditioner.
#pragma once

#include <functional>

#include <Eigen/Core>

#include "sinew/linalg/block_rows.h"
#include "sinew/linalg/multigrid.h"

namespace sinew {

using StripMatrix = Eigen::Matrix<double, strip_width, strip_width>;

// The state of an iteration before its update.
struct BlockCgState {
  int iteration = 0;   // updates so far
  StripMatrix errors;  // Z^T M Z with Z = B R, an estimate of the errors' products in the mass
  const double* x;     // the solution so far
  // Estimate of the largest ratio of e^T K e and r^T B r in past iterations; their estimate of the error is too small
  // by its root at most.
  double underestimate = 1;
};

// Vectors have 3 A.rows() rows of eight columns. Columns of zeros are allowed, and so are columns that depend on each
// other. Nothing of the size of the system is allocated in a solve. Results are the same for any number of threads.
class BlockConjugateGradients {
 public:
  // A, B, mass, kernel must outlive this. mass: 3 A.rows. kernel: 3 A.rows x any, orthonormal in the mass; solutions
  // are orthogonal to it in the mass if x is at the start.
  BlockConjugateGradients(const BlockRows<double, 3, 3>& A, Multigrid& B, const VecX& mass, const MatX& kernel);

  // Solves A x = b from x until `stop` returns true. r: b - A x on entry; work afterwards. Returns false if
  // max_iterations were not enough or A is not positive.
  bool solve(double* r, double* x, int max_iterations, const std::function<bool(const BlockCgState&)>& stop);

  // B (b - A x) of the solution x of the last solve() that returned true.
  const float* last_preconditioned() const { return z_.data(); }
  // z = B r, projected.
  void precondition(const double* r, float* z);

  // y = A x.
  void multiply(const double* x, double* y) const;

 private:
  const BlockRows<double, 3, 3>& A_;
  Multigrid& B_;
  const VecX& mass_;
  const MatX& kernel_;
  StripVector<double> p_, q_;
  StripVector<float> z_;
};

}  // namespace sinew
