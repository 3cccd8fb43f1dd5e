#include "sinew/reduced/subspace_level.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/group_jacobi.h"
#include "sinew/linalg/pcg.h"

namespace sinew {
namespace {

// Of the largest on a handle's diagonal, added to all of it.
constexpr double empty_row = 1e-16;
// Of the diagonal. Where columns of U depend on each other the first is above what rounding makes of zero pivots:
// without it factorisations succeed by luck and corrections are of any size. Its root is far above single precision,
// in which factors are kept.
constexpr double first_shift = 1e-11, last_shift = 1e-6;

std::unique_ptr<LinearSolver> make_solver(SubspaceLevel::Solver kind, double pcg_tolerance, bool single) {
  if (kind == SubspaceLevel::Solver::factor) {
    CholeskyOptions options;
    options.compact = single;
    return std::make_unique<SparseCholesky>(options);
  }
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

// Columns of U that are zero where vertices are free, or as small as rounding of places makes them, leave rows that are
// empty or nothing but rounding: their coordinates would be of any size.
void SubspaceLevel::fill_empty_rows() {
  const auto& begin = A_.pattern().row_begin;
  parallel_for(
      A_.rows() / 4,
      [&](std::size_t i) {
        const auto diagonal = [&](int k) -> double& { return A_.block(begin[4 * i + k / 3])[4 * (k % 3)]; };
        double largest = 0;
        for (int k = 0; k < 12; ++k) largest = std::max(largest, diagonal(k));
        const double least = largest > 0 ? empty_row * largest : 1.0;
        for (int k = 0; k < 12; ++k) diagonal(k) += least;
      },
      64);
}

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

bool SubspaceLevel::factor() {
  fill_empty_rows();
  const Stopwatch factor_watch;
  bool definite = false;
  if (kind_ == Solver::factor) {
    const auto& begin = A_.pattern().row_begin;
    double shifted = 0;
    computed_ = false;
    for (double shift = first_shift; !computed_ && shift < 2 * last_shift; shift *= 10) {
      for (Index i = 0; i < A_.rows(); ++i)
        for (int k = 0; k < 3; ++k) A_.block(begin[i])[4 * k] *= (1 + shift) / (1 + shifted);
      shifted = shift;
      computed_ = solver_->compute(A_);
    }
    definite = shifted == first_shift && computed_;
  } else {
    definite = solver_->compute(A_);
    computed_ = true;  // PCG copes with what its preconditioner replaced
  }
  factor_seconds += factor_watch.seconds();
  return definite;
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
  return transfer_.memory_bytes() + galerkin_.memory_bytes() + bodies_.memory_bytes() + A_.memory_bytes();
}

}  // namespace sinew
