#include "sinew/multilevel/subspace_level.h"

#include "sinew/core/timer.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/group_jacobi.h"
#include "sinew/linalg/pcg.h"
#include "sinew/multilevel/handle_matrix.h"

namespace sinew {
namespace {

std::unique_ptr<LinearSolver> make_solver(SubspaceLevel::Solver kind, double pcg_tolerance, bool single) {
  // Factored once and solved with at every iteration of the outer PCG: 12 coordinates a handle make a small matrix. A
  // factor in single precision halves the bytes that each solve reads, and these bytes are its cost.
  if (kind == SubspaceLevel::Solver::factor) {
    CholeskyOptions options;
    options.compact = single;
    return std::make_unique<SparseCholesky>(options);
  }
  // As in SMS, section 3.7.1; each block of the preconditioner has 4 block rows, the 12 coordinates of a handle.
  PcgOptions options;
  options.tolerance = pcg_tolerance;
  return std::make_unique<PcgSolver>(std::make_unique<GroupJacobi>(4), options);
}

}  // namespace

SubspaceLevel::SubspaceLevel(const HandleBasis& basis, const Points& rest, Solver solver, double pcg_tolerance)
    : transfer_(basis, rest),
      galerkin_(basis, rest),
      kind_(solver),
      pcg_tolerance_(pcg_tolerance),
      solver_(make_solver(solver, pcg_tolerance, true)),
      b_(dof_count()),
      q_(dof_count()) {}

void SubspaceLevel::reset(bool single) {
  galerkin_.reset();
  solver_ = make_solver(kind_, pcg_tolerance_, single);
  computed_ = false;
}

// A = U^T (H + C) U in two sums, since C changes with every direction and H need not:
//
//   A = U^T H U (kept) + U^T C U.
bool SubspaceLevel::compute(const SymBlockMatrix& H, const SymBlockMatrix* contacts, std::span<const char> fixed) {
  {
    ScopedTimer timer(galerkin_seconds);
    galerkin_.compute(H, fixed, bodies_);
  }
  if (contacts) return renew_contacts(*contacts, fixed);
  fixed_ = fixed;
  A_ = bodies_;
  return factor();
}

bool SubspaceLevel::renew_contacts(const SymBlockMatrix& contacts, std::span<const char> fixed) {
  fixed_ = fixed;
  {
    ScopedTimer timer(galerkin_seconds);
    galerkin_.compute(contacts, fixed, A_, &bodies_);
  }
  return factor();
}

// Columns of U may depend on each other, for example where all vertices of a handle lie in one plane. A is then
// singular but for rounding. factor_shifted() makes it definite by 1e-11 to 1e-6 of its diagonal.
bool SubspaceLevel::factor() {
  fill_empty_rows(A_);
  const Stopwatch factor_watch;
  bool definite = false;
  if (kind_ == Solver::factor) {
    definite = factor_shifted(A_, *solver_, computed_);
  } else {
    definite = solver_->compute(A_);
    computed_ = true;  // PCG copes with what its preconditioner replaced
  }
  factor_seconds += factor_watch.seconds();
  return definite;
}

// q = A^{-1} U^T r, then c += U q. U = W (x) I_3 is applied from W alone, 4 numbers for each block of U with 36. Fixed
// coordinates get nothing.
long SubspaceLevel::add_correction(const double* r, double* c) {
  if (!computed_ || dof_count() == 0) return 0;
  ScopedTimer timer(solve_seconds);
  transfer_.restrict_to(r, b_.data());
  q_.setZero();
  const LinearSolveReport report = solver_->solve(b_.data(), q_.data());
  // A factor near the limit of its precision may overflow. Without a correction CG is slower, and still right.
  if (q_.allFinite()) transfer_.add_lifted(q_.data(), fixed_.data(), c);
  return report.iterations;
}

std::size_t SubspaceLevel::memory_bytes() const {
  return transfer_.memory_bytes() + galerkin_.memory_bytes() + bodies_.memory_bytes() + A_.memory_bytes();
}

}  // namespace sinew
