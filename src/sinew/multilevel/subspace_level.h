// A coarse level of the hierarchy: corrections in the span of a handle basis.
#pragma once

#include <memory>
#include <span>

#include "sinew/linalg/linear_solver.h"
#include "sinew/multilevel/galerkin.h"
#include "sinew/subspace/handle_transfer.h"

namespace sinew {

// Corrects by U A^{-1} U^T r with A = U^T H U. Columns of U may be linearly dependent; A is then shifted by the
// smallest multiple of its diagonal that its factorisation needs.
class SubspaceLevel {
 public:
  enum class Solver { factor, pcg };

  SubspaceLevel(const HandleBasis& basis, const Points& rest, Solver solver, double pcg_tolerance);

  Index dof_count() const { return 12 * transfer_.handle_count(); }

  // Forgets the data of earlier matrices that affects later results (pairs of handles, orderings). single: later
  // factors may be in single precision, which loses parts 1e7 times softer than the stiffest.
  void reset(bool single = true);

  // Forms and factors A from H + contacts (null: none). Rows and columns with fixed[3 i + axis] != 0 must be zero
  // except for the diagonal. `fixed` is kept by reference. Returns false if the sum is indefinite.
  bool compute(const SymBlockMatrix& H, const SymBlockMatrix* contacts, std::span<const char> fixed);
  // As compute() with the last H and other contacts. The product costs a tenth of the work.
  bool renew_contacts(const SymBlockMatrix& contacts, std::span<const char> fixed);

  // c += U A^{-1} U^T r (both 3 n), zero at fixed coordinates, where r must be zero too. Returns the number of PCG
  // iterations, 0 if solved by factorisation. Adds nothing if A could not be factored.
  long add_correction(const double* r, double* c);

  double galerkin_seconds = 0, factor_seconds = 0, solve_seconds = 0;  // summed up [s]; the caller resets them
  std::size_t memory_bytes() const;

 private:
  bool factor();

  HandleTransfer transfer_;
  GalerkinProduct galerkin_;
  Solver kind_;
  double pcg_tolerance_;
  std::unique_ptr<LinearSolver> solver_;
  SymBlockMatrix bodies_;  // U^T H U without contacts
  SymBlockMatrix A_;
  std::span<const char> fixed_;
  bool computed_ = false;
  VecX b_, q_;
};

}  // namespace sinew
