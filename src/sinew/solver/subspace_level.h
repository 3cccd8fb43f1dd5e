// A coarse level of the hierarchy: corrections from the span of a handle basis.
#pragma once

#include <memory>
#include <span>

#include "sinew/linalg/linear_solver.h"
#include "sinew/solver/galerkin.h"

namespace sinew {

struct LevelSolve {
  bool ok = true;
  long iterations = 0;  // of PCG; 0 by factorisation
};

// With A = U^T H U, corrects by U A^{-1} U^T r. Columns of U may depend on each other: A is then shifted by as small a
// multiple of its diagonal as its factorisation needs.
class SubspaceLevel {
 public:
  enum class Solver { factor, pcg };

  SubspaceLevel(HandleBasis basis, const Points& rest, Solver solver, double pcg_tolerance);

  const HandleBasis& basis() const { return basis_; }
  Index dof_count() const { return 12 * basis_.handle_count(); }

  void reset() { galerkin_.reset(); }

  // Takes in H, whose rows and columns of fixed coordinates are zero.
  void compute(const SymBlockMatrix& H);

  // c = U A^{-1} U^T r, zero at the coordinates with fixed[3 i + axis] != 0; r is zero there too.
  LevelSolve correct(const Points& r, std::span<const char> fixed, Points& c);

  double galerkin_seconds = 0, factor_seconds = 0, solve_seconds = 0;  // added up; the caller resets them
  std::size_t memory_bytes() const;

 private:
  void fill_empty_rows();

  HandleBasis basis_;
  const Points& rest_;
  Solver kind_;
  GalerkinProduct galerkin_;
  SymBlockMatrix A_;
  std::unique_ptr<LinearSolver> solver_;
  bool computed_ = false;
  VecX b_, q_;
};

}  // namespace sinew
