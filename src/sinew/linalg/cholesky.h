// Direct solver: sparse Cholesky factorisation of a SymBlockMatrix.
#pragma once

#include <memory>

#include "sinew/linalg/compact_factor.h"
#include "sinew/linalg/linear_solver.h"
#include "sinew/linalg/multifrontal.h"
#include "sinew/linalg/ordering.h"

namespace sinew {

struct CholeskyOptions {
  OrderingMethod ordering = OrderingMethod::automatic;
  double reorder_growth =
      1.2;  // a changed pattern is reordered when its flops exceed those after the last ordering by this
  double reorder_shrinkage = 0.8;  // ... and when its blocks fall below this share of their number at the ordering
  double refine_above = 1e-10;     // a solve whose relative residual exceeds this gets one step of refinement
  // For preconditioners: solves are by the factor in single precision, neither checked nor refined, and report nothing.
  bool compact = false;
};

// Statistics of the solver. Times in seconds of the latest call of each kind; counts since construction.
struct CholeskyReport {
  OrderingMethod ordering = OrderingMethod::automatic;
  double flops = 0;
  std::int64_t factor_nnz = 0;
  double ordering_seconds = 0, symbolic_seconds = 0, numeric_seconds = 0, solve_seconds = 0;
  int orderings = 0, analyses = 0, factorizations = 0, failures = 0, solves = 0, refinements = 0;
  std::size_t memory_bytes = 0;
};

// The elimination order and structure are kept while the pattern stays. A changed pattern is analysed again in the kept
// order, and reordered only if that order has become bad (CholeskyOptions). Results have the same bits for any number
// of threads, and scaling A or b by powers of two scales x exactly.
class SparseCholesky : public LinearSolver {
 public:
  explicit SparseCholesky(CholeskyOptions options = {}) : options_(options) {}

  // Orders and analyses `base` now, e.g. the pattern of the mesh without contacts, and keeps that beside the order of
  // the last other pattern.
  void prepare(std::shared_ptr<const BlockPattern> base);
  // prepare() for the pattern of the bodies, unless that was the last one.
  void begin_step(const NewtonStructure& step) override;

  // False when A is not positive definite to working precision (or not finite); the solver then holds no factor.
  bool compute(const NewtonSystem& system) override;

  // Throws std::logic_error when there is no factor.
  using LinearSolver::solve;
  LinearSolveReport solve(const double* b, double* x) override;

  // X = A^{-1} B for B of 3 rows() x any, which may be X: the factor is read once for 16 columns. Not for compact
  // factors. Returns the worst report of a column.
  LinearSolveReport solve(const MatX& B, MatX& X);

  // Compact factors: three right-hand sides at once, next to each other row by row (9 rows() entries).
  void solve3(const double* b, double* x);

  bool is_direct() const override { return true; }
  double symbolic_seconds() const override { return symbolic_total_; }
  void save(ArchiveWriter& archive) const override;
  void load(const ArchiveReader& archive) override;

  const CholeskyReport& report() const { return report_; }

 private:
  struct Analysis {  // an order and the structure of a factor in it
    std::shared_ptr<const BlockPattern> pattern;
    std::shared_ptr<const Ordering> ordering;
    std::shared_ptr<const SymbolicFactor> symbolic;
    double ordered_flops = 0;         // with the pattern that was ordered
    std::int64_t ordered_blocks = 0;  // of that pattern
  };

  void update_analysis(const std::shared_ptr<const BlockPattern>& pattern);
  Analysis order_and_analyze(const std::shared_ptr<const BlockPattern>& pattern);
  std::shared_ptr<const SymbolicFactor> timed_analyze(const BlockPattern& pattern, const Ordering& ordering);
  double residual(const double* b, const double* x);
  LinearSolveReport refine(const double* b, double* x);

  CholeskyOptions options_;
  CholeskyReport report_;
  std::shared_ptr<const BlockPattern> prepared_;  // the argument of the last prepare()
  Analysis base_, latest_;                        // of prepare(); of the latest pattern that was not the base
  const Analysis* current_ = nullptr;
  MultifrontalFactor<3> factor_;
  CompactFactor<3> compact_;
  bool has_factor_ = false;
  const SymBlockMatrix* A_ = nullptr;
  double scale_ = 1;
  double symbolic_total_ = 0;           // [s]
  std::vector<double> r_, correction_;  // 3 rows
};

}  // namespace sinew
