// Solvers of A x = b for symmetric positive definite A in 3x3 blocks.
#pragma once

#include <memory>
#include <string>

#include "sinew/core/archive.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

struct LinearSolveReport {
  bool ok = true;
  int iterations = 0;            // 0 for direct solvers
  double relative_residual = 0;  // |b - A x| / |b|, as far as the solver knows it
  std::string reason;            // why not ok
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  // Takes in the values of A (which must outlive the solves). False when A is found not positive definite.
  virtual bool compute(const SymBlockMatrix& A) = 0;

  // x = A^{-1} b; b and x of 3 rows() entries. For iterative solvers x is also the start.
  virtual LinearSolveReport solve(const double* b, double* x) = 0;

  // Whether solves are exact up to rounding (then the Newton solver may offer an indefinite matrix first).
  virtual bool is_direct() const = 0;

  // A pattern that all coming matrices contain: work that depends on it alone is done now.
  virtual void prepare(std::shared_ptr<const BlockPattern> /*base*/) {}

  // Time spent so far on what depends on patterns alone [s].
  virtual double symbolic_seconds() const { return 0; }

  // Whatever of earlier matrices influences the bits of later solutions.
  virtual void save(ArchiveWriter&) const {}
  virtual void load(const ArchiveReader&) {}
};

// z = M^{-1} r for a symmetric positive definite M that resembles A.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual void compute(const SymBlockMatrix& A) = 0;
  virtual void apply(const double* r, double* z) const = 0;

  // Whether rows [begin, end) of z need those of r alone; PCG then fuses apply_rows() with its vector updates.
  virtual bool is_local() const { return false; }
  virtual void apply_rows(const double* /*r*/, double* /*z*/, Index /*begin*/, Index /*end*/) const {}
};

}  // namespace sinew
