#include "sinew/linalg/pcg.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Symbols: r = b - A x residual, z = M^-1 r preconditioned residual, p search direction, q = A p, all of 3 rows()
// entries; alpha = r^T z / p^T q, beta = r_new^T z_new / r^T z (Saad 2003, algorithm 9.1).

constexpr std::size_t chunk_rows = 512;  // five vectors of a chunk stay in the second-level cache

// Eight independent sums, so that the loop can be vectorised without reordering and whatever the alignment.
double dot(const double* a, const double* b, std::size_t n) {
  double lanes[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int l = 0; l < 8; ++l) lanes[l] += a[i + l] * b[i + l];
  double sum = 0;
  for (; i < n; ++i) sum += a[i] * b[i];
  for (double lane : lanes) sum += lane;
  return sum;
}

// |a + b|^2, or |a|^2 where b is null.
double squared_norm(const double* a, const double* b, std::size_t n) {
  if (!b) return dot(a, a, n);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += (a[i] + b[i]) * (a[i] + b[i]);
  return sum;
}

double parallel_dot(const double* a, const double* b, std::size_t n) {
  return parallel_sum_chunks(
      n, 3 * chunk_rows, [&](std::size_t begin, std::size_t end) { return dot(a + begin, b + begin, end - begin); });
}

// A preconditioner of the blocks of a matrix, corrected for the terms of rank one.
class CorrectedPreconditioner final : public Preconditioner {
 public:
  CorrectedPreconditioner(const Preconditioner& M, const RankCorrection& ranks) : M_(M), ranks_(ranks) {}
  bool compute(const NewtonSystem&) override { return true; }
  void apply(const double* r, double* z) const override {
    M_.apply(r, z);
    ranks_.correct(z);
  }

 private:
  const Preconditioner& M_;
  const RankCorrection& ranks_;
};

}  // namespace

// r = b - A x; returns |r|^2. The product is left out for x = 0.
double ConjugateGradients::start(const Operator& A, const double* b, const double* x) {
  const std::size_t n = r_.size();
  const bool zero = parallel_sum_chunks<int>(n, 1 << 14, [&](std::size_t begin, std::size_t end) {
                      return std::any_of(x + begin, x + end, [](double v) { return v != 0; }) ? 1 : 0;
                    }) == 0;
  if (!zero) A.multiply(x, q_.data());
  parallel_chunks(n, 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) r_[i] = zero ? b[i] : b[i] - q_[i];
  });
  return parallel_dot(r_.data(), r_.data(), n);
}

// One pass, a chunk at a time while it is in cache: moved += alpha p, r -= alpha q (if moved), z = M^{-1} r when M is
// local, and the sums. Where M is not local, z and its sums take passes of their own.
PcgSums ConjugateGradients::update(double alpha, const double* x, double* moved, const Preconditioner& M,
                                   const PcgStop& stop) {
  const bool by_change = stop.by_change(), local = M.is_local();
  const double* offset = stop.offset();
  parallel_chunks(r_.size() / 3, chunk_rows, [&](std::size_t begin, std::size_t end) {
    double* r = r_.data();
    const double *p = p_.data(), *q = q_.data();
    const std::size_t first = 3 * begin, count = 3 * (end - begin);
    if (moved) {
      for (std::size_t i = first; i < first + count; ++i) moved[i] += alpha * p[i];
      for (std::size_t i = first; i < first + count; ++i) r[i] -= alpha * q[i];
    }
    PcgSums& sums = partial_[begin / chunk_rows];
    sums = {};
    sums.rr = dot(r + first, r + first, count);
    if (by_change) sums.xx = squared_norm(x + first, offset ? offset + first : nullptr, count);
    if (!local) return;
    M.apply_rows(r, z_.data(), static_cast<Index>(begin), static_cast<Index>(end));
    sums.rz = dot(r + first, z_.data() + first, count);
    if (by_change) sums.zz = dot(z_.data() + first, z_.data() + first, count);
  });
  PcgSums total;
  for (const PcgSums& part : partial_) {
    total.rz += part.rz;
    total.rr += part.rr;
    total.zz += part.zz;
    total.xx += part.xx;
  }
  if (local) return total;
  M.apply(r_.data(), z_.data());
  total.rz = parallel_dot(r_.data(), z_.data(), r_.size());
  if (by_change) total.zz = parallel_dot(z_.data(), z_.data(), z_.size());
  return total;
}

// p = z + beta p.
void ConjugateGradients::next_direction(double beta) {
  parallel_chunks(p_.size(), 3 * chunk_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) p_[i] = z_[i] + beta * p_[i];
  });
}

// One iteration: q = A p with p^T q in the same pass, then update() and next_direction(). Each
// iteration lowers 1/2 x^T A x - b^T x by (r^T z)^2 / (2 p^T q), the `gain` that stop rules may use.
LinearSolveReport ConjugateGradients::solve(const Operator& A, const Preconditioner& M, const double* b, double* x,
                                            PcgStop& stop, int max_iterations, double* decades) {
  LinearSolveReport report;
  const std::size_t n = 3 * static_cast<std::size_t>(A.rows());
  for (auto* v : {&r_, &z_, &p_, &q_}) v->resize(n);
  partial_.resize((n / 3 + chunk_rows - 1) / chunk_rows);
  // b = 0 has the solution 0 whatever the start.
  const double bb = parallel_dot(b, b, n);
  if (bb == 0) {
    std::fill_n(x, n, 0.0);
    return report;
  }
  double rr = start(A, b, x);
  double rz = 0, rz_at_start = 0;
  const auto finish = [&](bool ok, std::string reason) {
    report.ok = ok;
    if (decades) *decades = rz > 0 && rz_at_start > 0 ? 0.5 * std::log10(rz_at_start / rz) : 0.0;
    report.reason = std::move(reason);
    report.relative_residual = std::sqrt(rr) / std::sqrt(bb);
    return report;
  };
  if (!std::isfinite(rr)) return finish(false, "the right-hand side or the start is not finite");

  const PcgSums at_start = update(0, x, nullptr, M, stop);
  rz = rz_at_start = at_start.rz;
  if (stop.begin(bb, at_start)) return finish(true, "");
  std::copy(z_.begin(), z_.end(), p_.begin());
  while (true) {
    if (!(rz > 0)) {
      report.indefinite = true;
      return finish(false, "the preconditioner is not positive definite");
    }
    // p^T A p <= 0: A is not positive definite along p, and the iterate so far is a descent direction.
    const double pq = A.multiply_dot(p_.data(), q_.data());
    if (!(pq > 0)) {
      const bool start_is_zero = report.iterations == 0 && std::all_of(x, x + n, [](double v) { return v == 0; });
      if (start_is_zero) std::copy(z_.begin(), z_.end(), x);
      report.indefinite = true;
      return finish(false, std::isnan(pq) ? "the matrix is not finite" : "the matrix is not positive definite");
    }
    ++report.iterations;
    const double gain = rz * rz / pq;
    const PcgSums sums = update(rz / pq, x, x, M, stop);
    rr = sums.rr;
    // beta = r^T z of this iterate over that of the last.
    const double beta = sums.rz / rz;
    rz = sums.rz;
    if (stop.reached(sums, gain)) return finish(true, "");
    if (report.iterations >= max_iterations) return finish(false, "the iteration limit was reached");
    next_direction(beta);
  }
}

PcgSolver::PcgSolver(std::unique_ptr<Preconditioner> preconditioner, PcgOptions options)
    : preconditioner_(std::move(preconditioner)), options_(options) {
  if (!preconditioner_) throw std::invalid_argument("PcgSolver needs a preconditioner");
}

// A matrix with a diagonal entry that is not positive is not positive definite.
bool PcgSolver::compute(const NewtonSystem& system) {
  const SymBlockMatrix& A = system.H;
  A_ = &A;
  reported_ = false;
  const bool definite = preconditioner_->compute(system);
  // The terms give M a few large eigenvalues. Without a correction, CG takes an iteration for each, and loses digits.
  ranks_.clear();
  if (definite && !A.ranks().empty() &&
      !ranks_.compute(A, [&](const double* r, double* z) { preconditioner_->apply(r, z); }))
    ranks_.clear();
  std::atomic<bool> positive = true;
  parallel_for(A.rows(), [&](std::size_t row) {
    const double* D = A.block(A.pattern().row_begin[row]);
    if (!(D[0] > 0 && D[4] > 0 && D[8] > 0)) positive.store(false, std::memory_order_relaxed);
  });
  return definite && positive;
}

LinearSolveReport PcgSolver::solve(const double* b, double* x) {
  ResidualStop stop(options_.tolerance);
  return solve(b, x, stop, options_.max_iterations);
}

LinearSolveReport PcgSolver::solve(const double* b, double* x, PcgStop& stop, int max_iterations) {
  double decades = 0;
  const CorrectedPreconditioner corrected(*preconditioner_, ranks_);
  const Preconditioner& M = ranks_.empty() ? *preconditioner_ : static_cast<const Preconditioner&>(corrected);
  LinearSolveReport report = iterations_.solve(MatrixOperator(*A_), M, b, x, stop, max_iterations, &decades);
  if (!reported_) preconditioner_->solved(report, decades);
  reported_ = true;
  return report;
}

}  // namespace sinew
