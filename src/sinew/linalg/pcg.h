// Preconditioned conjugate gradients, truncated where the matrix is found indefinite.
#pragma once

#include <memory>
#include <vector>

#include "sinew/linalg/linear_solver.h"
#include "sinew/linalg/operator.h"
#include "sinew/linalg/pcg_stop.h"

namespace sinew {

// Per iteration: one product with A (72 + 4 bytes a block) and two passes over the vectors, x r z p q and the
// preconditioner. All sums are over fixed chunks: the same bits for any number of threads. Nothing is allocated after
// the first solve of a size.
class ConjugateGradients {
 public:
  // A x = b from the given x, until `stop` says so or max_iterations are done (then not ok).
  //
  // If p^T A p <= 0, stops with ok = false and the iterate so far. If this is zero, x is the preconditioned right-hand
  // side, a descent direction (truncated Newton; Nocedal and Wright 2006, algorithm 7.1). The report's
  // relative_residual is that of the recurrence; `decades` gets log10 of the ratio by which the root of r^T M^{-1} r
  // fell.
  LinearSolveReport solve(const Operator& A, const Preconditioner& M, const double* b, double* x, PcgStop& stop,
                          int max_iterations, double* decades = nullptr);

 private:
  double start(const Operator& A, const double* b, const double* x);
  PcgSums update(double alpha, const double* x, double* moved, const Preconditioner& M, const PcgStop& stop);
  void next_direction(double beta);

  std::vector<double> r_, z_, p_, q_;  // 3 rows each: residual, preconditioned residual, direction, A p
  std::vector<PcgSums> partial_;       // a chunk each
};

struct PcgOptions {
  double tolerance = 1e-5;  // |b - A x|_2 / |b|_2
  int max_iterations = 10000;
};

class PcgSolver : public LinearSolver {
 public:
  explicit PcgSolver(std::unique_ptr<Preconditioner> preconditioner, PcgOptions options = {});

  void begin_step(const NewtonStructure& step) override { preconditioner_->begin_step(step); }
  bool sees_contacts() const override { return preconditioner_->sees_contacts(); }
  NewtonParts parts(bool has_contacts) const override { return preconditioner_->parts(has_contacts); }

  // False when the preconditioner says so, or an entry of the diagonal is not positive. A solve is possible even then:
  // it may be truncated.
  bool compute(const NewtonSystem& system) override;

  LinearSolveReport solve(const double* b, double* x) override;
  LinearSolveReport solve(const double* b, double* x, PcgStop& stop, int max_iterations) override;

  bool is_direct() const override { return false; }
  LevelWork level_work() const override { return preconditioner_->level_work(); }

  PcgOptions& options() { return options_; }
  Preconditioner& preconditioner() { return *preconditioner_; }

 private:
  std::unique_ptr<Preconditioner> preconditioner_;
  PcgOptions options_;
  const SymBlockMatrix* A_ = nullptr;
  bool reported_ = false;  // to the preconditioner, the first solve since compute()
  ConjugateGradients iterations_;
};

}  // namespace sinew
