// Non-negative least squares: min |A x - b|^2 over x >= 0.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct NnlsOptions {
  double tolerance = 0;    // stops at |A x - b| <= tolerance |b|; 0: at the minimum, up to rounding
  int max_iterations = 0;  // 0: 10 (columns + 10)
};

struct NnlsResult {
  VecX x;                      // one entry for each column, >= 0
  std::vector<Index> passive;  // the columns with x > 0, ascending
  int iterations = 0;          // least squares problems that were solved
  double residual = 0;         // |A x - b|
  // Whether the residual is within the tolerance, or x meets the KKT conditions up to rounding.
  bool converged = false;
};

// Fast active set method (Lawson & Hanson 1974; Bro & De Jong 1997). Columns may be added in several lots. Each solve
// starts from the passive set of the last one. A Cholesky factor of the Gram matrix of the passive columns grows and
// shrinks with the set. Columns are scaled to norm 1, and each solution is corrected once by its residual, so that
// neither the columns' scale nor the squared condition number spoils x. If columns are linearly dependent to 1e-6, any
// of them may get the weight; zero columns get none. Runs on one thread; each run gives the same bits.
class Nnls {
 public:
  explicit Nnls(const VecX& b);  // m values
  ~Nnls();
  Nnls(Nnls&&) noexcept;

  void add_columns(const MatX& A);  // m x k, appended to the existing columns; x is kept

  // Starts from these columns, as far as their least squares solution is positive.
  void start(std::span<const Index> passive);

  NnlsResult solve(const NnlsOptions& options = {});

  VecX residual() const;  // b - A x after the last solve()

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

NnlsResult nnls(const MatX& A, const VecX& b, const NnlsOptions& options = {}, std::span<const Index> start = {});

}  // namespace sinew
