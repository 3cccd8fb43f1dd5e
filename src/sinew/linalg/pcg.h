// Preconditioned conjugate gradients that stop if the matrix turns out to be indefinite.
#pragma once

#include <memory>
#include <vector>

#include "sinew/linalg/linear_solver.h"
#include "sinew/linalg/operator.h"
#include "sinew/linalg/pcg_stop.h"
#include "sinew/linalg/rank_correction.h"

namespace sinew {

// Each iteration costs one product with A (72 + 4 bytes for each block), two passes over the vectors x r z p q, and the
// preconditioner. All sums are over fixed chunks, so results are the same, bit for bit, for any number of threads.
// Nothing is allocated after the first solve of a size.
class ConjugateGradients {
 public:
  // Solves A x = b from the given x until `stop` accepts x, or until max_iterations (the report is then not ok).
  //
  // If p^T A p <= 0, stops with ok = false and the current x. If x is still zero, x is set to the preconditioned
  // right-hand side, a descent direction (truncated Newton; Nocedal and Wright 2006, algorithm 7.1). The report's
  // relative_residual is that of the recurrence. `decades` receives log10 of the factor by which the root of r^T M^{-1}
  // r fell.
  LinearSolveReport solve(const Operator& A, const Preconditioner& M, const double* b, double* x, PcgStop& stop,
                          int max_iterations, double* decades = nullptr);

 private:
  double start(const Operator& A, const double* b, const double* x);
  PcgSums update(double alpha, const double* x, double* moved, const Preconditioner& M, const PcgStop& stop);
  void next_direction(double beta);

  std::vector<double> r_, z_, p_, q_;  // 3 rows each: residual, preconditioned residual, direction, A p
  std::vector<PcgSums> partial_;       // one for each chunk
};

struct PcgOptions {
  double tolerance = 1e-5;  // bound on |b - A x|_2 / |b|_2
  int max_iterations = 10000;
};

class PcgSolver : public LinearSolver {
 public:
  explicit PcgSolver(std::unique_ptr<Preconditioner> preconditioner, PcgOptions options = {});

  void begin_step(const NewtonStructure& step) override { preconditioner_->begin_step(step); }
  bool sees_contacts() const override { return preconditioner_->sees_contacts(); }
  NewtonParts parts(bool has_contacts) const override { return preconditioner_->parts(has_contacts); }

  // Returns false if the preconditioner does, or if a diagonal entry is not positive. solve() is possible even then,
  // but may be truncated.
  bool compute(const NewtonSystem& system) override;

  LinearSolveReport solve(const double* b, double* x) override;
  LinearSolveReport solve(const double* b, double* x, PcgStop& stop, int max_iterations) override;

  bool is_direct() const override { return false; }
  LevelWork level_work() const override { return preconditioner_->level_work(); }
  void share(Preparation& prepared) const override { preconditioner_->share(prepared); }

  PcgOptions& options() { return options_; }
  Preconditioner& preconditioner() { return *preconditioner_; }

 private:
  std::unique_ptr<Preconditioner> preconditioner_;
  PcgOptions options_;
  const SymBlockMatrix* A_ = nullptr;
  RankCorrection ranks_;   // of the preconditioner
  bool reported_ = false;  // whether the first solve since compute() was reported to the preconditioner
  ConjugateGradients iterations_;
};

}  // namespace sinew
