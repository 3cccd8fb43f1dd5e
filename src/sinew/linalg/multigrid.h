// Smoothed-aggregation multigrid for eight right-hand sides at once: a preconditioner for elastic bodies at rest.
#pragma once

#include <memory>
#include <vector>

#include "sinew/linalg/block_rows.h"
#include "sinew/linalg/multigrid_level.h"

namespace sinew {

struct MultigridOptions {
  int smoothing = 2;    // degree of the smoothing polynomial
  double strong = 0.3;  // see CoarseningOptions
  int reach = 2;
  Index direct_rows = 1200;  // the level with no more rows is solved directly
};

// One application is a symmetric cycle in single precision that visits each coarse level twice (a W-cycle): B with B A
// near the identity. Its bits do not depend on the number of threads.
class Multigrid {
 public:
  // A: symmetric, positive definite up to the kernel. near_kernel: 3 A.rows x 6, motions that cost little energy,
  // such as the rigid motions. kernel: 6 x any, combinations of near_kernel that span the kernel of A.
  Multigrid(BlockRows<double, 3, 3> A, MatX near_kernel, const MatX& kernel, const MultigridOptions& options = {});

  // False if the coarsest matrix is not positive definite to working precision, or too large because aggregates do not
  // grow. There is no apply() then.
  bool is_definite() const { return is_definite_; }

  // z = B r. Both have 3 rows() rows of eight columns.
  void apply(const double* r, float* z);

  Index rows() const { return fine_.A.rows; }
  // Entries of the matrices of all levels over those of the finest.
  double complexity() const;
  std::size_t memory_bytes() const;
  const std::vector<Index>& level_rows() const { return level_rows_; }

 private:
  void cycle(std::size_t level, const float* r, float* z);
  void visit(std::size_t level, const float* r, float* z);
  void solve_coarsest(const float* r, float* z);

  int smoothing_;
  bool is_definite_ = false;
  MultigridLevel<3> fine_;
  std::vector<float> scaling_;  // G of the finest level, 9 a row
  std::vector<MultigridLevel<6>> coarse_;
  MatX inverse_;  // of the coarsest matrix
  StripVector<float> r_, z_;
  std::vector<Index> level_rows_;
};

}  // namespace sinew
