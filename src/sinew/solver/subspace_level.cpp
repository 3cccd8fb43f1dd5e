#include "sinew/solver/subspace_level.h"

#include "sinew/core/timer.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/group_jacobi.h"
#include "sinew/linalg/pcg.h"

namespace sinew {
namespace {

constexpr double first_shift = 1e-13, last_shift = 1e-6;  // of the diagonal

std::unique_ptr<LinearSolver> make_solver(SubspaceLevel::Solver kind, double pcg_tolerance) {
  if (kind == SubspaceLevel::Solver::factor) return std::make_unique<SparseCholesky>();
  PcgOptions options;
  options.tolerance = pcg_tolerance;
  return std::make_unique<PcgSolver>(std::make_unique<GroupJacobi>(4), options);
}

}  // namespace

SubspaceLevel::SubspaceLevel(const HandleBasis& basis, const Points& rest, Solver solver, double pcg_tolerance)
    : transfer_(basis, rest),
      galerkin_(basis, rest),
      kind_(solver),
      solver_(make_solver(solver, pcg_tolerance)),
      b_(dof_count()),
      q_(dof_count()) {}

// Columns of U that are zero where vertices are free leave empty rows.
void SubspaceLevel::fill_empty_rows() {
  const auto& begin = A_.pattern().row_begin;
  for (Index i = 0; i < A_.rows(); ++i) {
    double* block = A_.block(begin[i]);
    for (int k = 0; k < 3; ++k)
      if (block[4 * k] == 0) block[4 * k] = 1;
  }
}

void SubspaceLevel::compute(const SymBlockMatrix& H, std::span<const char> fixed) {
  fixed_ = fixed;
  const Stopwatch watch;
  galerkin_.compute(H, A_);
  fill_empty_rows();
  galerkin_seconds += watch.seconds();
  const Stopwatch factor_watch;
  computed_ = solver_->compute(A_);
  if (kind_ == Solver::factor) {
    const auto& begin = A_.pattern().row_begin;
    double shifted = 0;
    for (double shift = first_shift; !computed_ && shift < 2 * last_shift; shift *= 10) {
      for (Index i = 0; i < A_.rows(); ++i)
        for (int k = 0; k < 3; ++k) A_.block(begin[i])[4 * k] *= (1 + shift) / (1 + shifted);
      shifted = shift;
      computed_ = solver_->compute(A_);
    }
  } else {
    computed_ = true;  // PCG copes with what its preconditioner replaced
  }
  factor_seconds += factor_watch.seconds();
}

long SubspaceLevel::add_correction(const double* r, double* c) {
  if (!computed_ || dof_count() == 0) return 0;
  ScopedTimer timer(solve_seconds);
  transfer_.restrict_to(r, b_.data());
  q_.setZero();
  const LinearSolveReport report = solver_->solve(b_.data(), q_.data());
  if (q_.allFinite()) transfer_.add_lifted(q_.data(), fixed_.data(), c);
  return report.iterations;
}

std::size_t SubspaceLevel::memory_bytes() const {
  return transfer_.memory_bytes() + galerkin_.memory_bytes() + A_.memory_bytes();
}

}  // namespace sinew
