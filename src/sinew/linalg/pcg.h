// Preconditioned conjugate gradients over a SymBlockMatrix, truncated where the matrix is found indefinite.
#pragma once

#include <memory>
#include <vector>

#include "sinew/linalg/linear_solver.h"

namespace sinew {

struct PcgOptions {
  double tolerance = 1e-5;  // stop when |b - A x|_2 <= tolerance |b|_2
  int max_iterations = 10000;
  // > 0: stop instead when r^T M^{-1} r is at most energy_share^2 of its value at the start plus energy_before: as far
  // as M resembles A, when the error of x in the norm of A is that share of the whole solution, of which energy_before
  // is what the start is worth. Residuals of very stiff rows count for less there.
  double energy_share = 0, energy_before = 0;
  // > 0: stop also when |M^{-1} r|_2, the change of x that M still asks for, is at most this share of |offset + x|_2;
  // with `both`, only when that and the other one are reached.
  double change_share = 0;
  bool both = false;
  // With energy_share alone: what is left of the energy must be as little by how the gains of the iterations fall, too.
  // Where M is much stiffer than A, what it asks for is far less than what is left. Takes eight iterations at least.
  bool by_gains = false;
  const double* offset = nullptr;  // 3 rows; null: zero
};

// Per iteration: one product with A (72 + 4 bytes a block) and two passes over the vectors, x r z p q and the
// preconditioner. All sums are over fixed chunks: the same bits for any number of threads. There is no absolute
// tolerance. Nothing is allocated after the first solve of a size.
class PcgSolver : public LinearSolver {
 public:
  explicit PcgSolver(std::unique_ptr<Preconditioner> preconditioner, PcgOptions options = {});

  // False when an entry of A's diagonal is not positive. A solve is possible even then: it may be truncated.
  bool compute(const SymBlockMatrix& A) override;

  // On p^T A p <= 0 stops with ok = false and the iterate so far; when that is zero, with the preconditioned right-hand
  // side, a descent direction (truncated Newton; Nocedal and Wright 2006, algorithm 7.1). relative_residual is that of
  // the recurrence.
  LinearSolveReport solve(const double* b, double* x) override;

  bool is_direct() const override { return false; }

  PcgOptions& options() { return options_; }
  const PcgOptions& options() const { return options_; }
  Preconditioner& preconditioner() { return *preconditioner_; }

 private:
  struct Dots {
    double rz = 0, rr = 0, zz = 0, xx = 0;  // xx: of offset + x, where it is asked for
  };

  double start(const double* b, const double* x);
  Dots update(double alpha, double* x);
  Dots precondition_and_dot(const double* x);
  Dots chunked_dots(double alpha, const double* x, double* moved, bool local);
  bool reached(const Dots& dots, double target) const;
  double gains_to_come() const;
  void next_direction(double beta);

  std::unique_ptr<Preconditioner> preconditioner_;
  PcgOptions options_;
  const SymBlockMatrix* A_ = nullptr;
  std::vector<double> r_, z_, p_, q_;  // 3 rows each: residual, preconditioned residual, direction, A p
  std::vector<Dots> partial_;          // a chunk each
  std::vector<double> gains_;          // of energy, by iteration, where they are asked for
};

}  // namespace sinew
