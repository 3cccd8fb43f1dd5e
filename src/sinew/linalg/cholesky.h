// Direct solver: sparse Cholesky factorisation of a SymBlockMatrix.
#pragma once

#include <memory>

#include "sinew/linalg/compact_factor.h"
#include "sinew/linalg/linear_solver.h"
#include "sinew/linalg/multifrontal.h"
#include "sinew/linalg/ordering.h"
#include "sinew/linalg/rank_correction.h"

namespace sinew {

struct CholeskyOptions {
  OrderingMethod ordering = OrderingMethod::automatic;
  double reorder_growth =
      1.2;  // a changed pattern is reordered if its flops exceed those at the last ordering by this factor ...
  double reorder_shrinkage = 0.8;  // ... or if its number of blocks falls below this share of that at the last ordering
  double refine_above = 1e-10;     // a solve with a larger relative residual gets one step of refinement
  // For preconditioners: solve with the factor in single precision, without check, refinement or report.
  bool compact = false;
};

// Statistics of the solver. Times [s] are those of the last call of each kind; counts are since construction.
struct CholeskyReport {
  OrderingMethod ordering = OrderingMethod::automatic;
  double flops = 0;
  std::int64_t factor_nnz = 0;
  double ordering_seconds = 0, symbolic_seconds = 0, numeric_seconds = 0, solve_seconds = 0;
  int orderings = 0, analyses = 0, factorizations = 0, failures = 0, solves = 0, refinements = 0;
  std::size_t memory_bytes = 0;
};

// The elimination order and the structure of the factor are kept while the pattern stays. A changed pattern is analysed
// again in the same order, and reordered only if that order has become bad (CholeskyOptions). Results are the same, bit
// for bit, for any number of threads. Scaling A or b by powers of two scales x exactly.
class SparseCholesky : public LinearSolver {
 public:
  explicit SparseCholesky(CholeskyOptions options = {}) : options_(options) {}

  // Orders and analyses `base` now, for example the pattern of the mesh without contacts. This analysis is kept in
  // addition to that of the last other pattern.
  void prepare(std::shared_ptr<const BlockPattern> base);
  // Calls prepare() for the pattern of the bodies, unless this was the last prepared pattern.
  void begin_step(const NewtonStructure& step) override;

  // Returns false if A is not positive definite to working precision, or not finite; the solver then has no factor. The
  // blocks alone must be positive definite, without terms of rank one.
  bool compute(const NewtonSystem& system) override;

  // Throws std::logic_error if there is no factor.
  using LinearSolver::solve;
  LinearSolveReport solve(const double* b, double* x) override;

  // X = A^{-1} B, where B is 3 rows() x any and may be X. The factor is read once for 16 columns. Not for compact
  // factors. Returns the report of the worst column: the first that is not ok, or the one with the largest residual.
  LinearSolveReport solve(const MatX& B, MatX& X);

  // Only for compact factors, and matrices without terms of rank one: solves for three right-hand sides at once,
  // interleaved row by row (9 rows() entries).
  void solve3(const double* b, double* x);

  bool is_direct() const override { return true; }
  double symbolic_seconds() const override { return symbolic_total_; }
  void save(ArchiveWriter& archive) const override;
  void load(const ArchiveReader& archive) override;

  const CholeskyReport& report() const { return report_; }

 private:
  struct Analysis {  // an elimination order and the structure of the factor in that order
    std::shared_ptr<const BlockPattern> pattern;
    std::shared_ptr<const Ordering> ordering;
    std::shared_ptr<const SymbolicFactor> symbolic;
    double ordered_flops = 0;         // flops for the pattern that was ordered
    std::int64_t ordered_blocks = 0;  // number of blocks of that pattern
  };

  void update_analysis(const std::shared_ptr<const BlockPattern>& pattern);
  Analysis order_and_analyze(const std::shared_ptr<const BlockPattern>& pattern);
  std::shared_ptr<const SymbolicFactor> timed_analyze(const BlockPattern& pattern, const Ordering& ordering);
  void solve_factored(const double* b, double* x);
  double residual(const double* b, const double* x);
  LinearSolveReport refine(const double* b, double* x);

  CholeskyOptions options_;
  CholeskyReport report_;
  std::shared_ptr<const BlockPattern> prepared_;  // argument of the last prepare()
  Analysis base_, latest_;                        // analyses of the prepared and of the last other pattern
  const Analysis* current_ = nullptr;
  MultifrontalFactor<3> factor_;
  CompactFactor<3> compact_;
  bool has_factor_ = false;
  RankCorrection ranks_;
  const SymBlockMatrix* A_ = nullptr;
  double scale_ = 1;
  double symbolic_total_ = 0;           // [s]
  std::vector<double> r_, correction_;  // work arrays, 3 rows
};

}  // namespace sinew
