#include "sinew/linalg/pcg.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

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

// Of a, or of a + b.
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

}  // namespace

PcgSolver::PcgSolver(std::unique_ptr<Preconditioner> preconditioner, PcgOptions options)
    : preconditioner_(std::move(preconditioner)), options_(options) {
  if (!preconditioner_) throw std::invalid_argument("PcgSolver needs a preconditioner");
}

bool PcgSolver::compute(const SymBlockMatrix& A) {
  A_ = &A;
  const std::size_t size = 3 * static_cast<std::size_t>(A.rows());
  for (auto* v : {&r_, &z_, &p_, &q_}) v->resize(size);
  partial_.resize((size / 3 + chunk_rows - 1) / chunk_rows);
  preconditioner_->compute(A);
  std::atomic<bool> positive = true;
  parallel_for(A.rows(), [&](std::size_t row) {
    const double* D = A.block(A.pattern().row_begin[row]);
    if (!(D[0] > 0 && D[4] > 0 && D[8] > 0)) positive.store(false, std::memory_order_relaxed);
  });
  return positive;
}

// r = b - A x; returns |r|^2. A zero start costs no product.
double PcgSolver::start(const double* b, const double* x) {
  const std::size_t n = r_.size();
  const bool zero = parallel_sum_chunks<int>(n, 1 << 14, [&](std::size_t begin, std::size_t end) {
                      return std::any_of(x + begin, x + end, [](double v) { return v != 0; }) ? 1 : 0;
                    }) == 0;
  if (!zero) A_->multiply(x, q_.data());
  parallel_chunks(n, 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) r_[i] = zero ? b[i] : b[i] - q_[i];
  });
  return parallel_dot(r_.data(), r_.data(), n);
}

// One pass, a chunk at a time while it is in cache: moved += alpha p, r -= alpha q (if moved), z = M^{-1} r when M is
// local, and the sums; those with z only when it is.
PcgSolver::Dots PcgSolver::chunked_dots(double alpha, const double* x, double* moved, bool local) {
  const bool by_change = options_.change_share > 0;
  parallel_chunks(r_.size() / 3, chunk_rows, [&](std::size_t begin, std::size_t end) {
    double* r = r_.data();
    const double *p = p_.data(), *q = q_.data();
    const std::size_t first = 3 * begin, count = 3 * (end - begin);
    if (moved) {
      for (std::size_t i = first; i < first + count; ++i) moved[i] += alpha * p[i];
      for (std::size_t i = first; i < first + count; ++i) r[i] -= alpha * q[i];
    }
    Dots& sums = partial_[begin / chunk_rows];
    sums = {};
    sums.rr = dot(r + first, r + first, count);
    if (by_change) sums.xx = squared_norm(x + first, options_.offset ? options_.offset + first : nullptr, count);
    if (!local) return;
    preconditioner_->apply_rows(r, z_.data(), static_cast<Index>(begin), static_cast<Index>(end));
    sums.rz = dot(r + first, z_.data() + first, count);
    if (by_change) sums.zz = dot(z_.data() + first, z_.data() + first, count);
  });
  Dots total;
  for (const Dots& part : partial_) {
    total.rz += part.rz;
    total.rr += part.rr;
    total.zz += part.zz;
    total.xx += part.xx;
  }
  if (local) return total;
  preconditioner_->apply(r_.data(), z_.data());
  total.rz = parallel_dot(r_.data(), z_.data(), r_.size());
  if (by_change) total.zz = parallel_dot(z_.data(), z_.data(), z_.size());
  return total;
}

PcgSolver::Dots PcgSolver::precondition_and_dot(const double* x) {
  return chunked_dots(0, x, nullptr, preconditioner_->is_local());
}

PcgSolver::Dots PcgSolver::update(double alpha, double* x) {
  return chunked_dots(alpha, x, x, preconditioner_->is_local());
}

bool PcgSolver::reached(const Dots& dots, double target) const {
  bool other = options_.energy_share > 0 ? dots.rz <= target * target : std::sqrt(dots.rr) <= target;
  if (other && options_.by_gains && options_.energy_share > 0) other = gains_to_come() <= target * target;
  if (!(options_.change_share > 0)) return other;
  const bool change = dots.zz <= options_.change_share * options_.change_share * dots.xx;
  return options_.both ? change && other : change || other;
}

// Iteration k gains a_k r_k^T z_k, and the error is what those to come gain (Strakos and Tichy 2002); if they go on to
// fall as from the window of iterations before the last one to the last, these are a geometric series.
double PcgSolver::gains_to_come() const {
  constexpr std::size_t shortest = 4;
  const std::size_t count = gains_.size();
  if (count < 2 * shortest) return std::numeric_limits<double>::infinity();
  const std::size_t window = std::min(count / 2, shortest + count / 4);
  const auto sum = [&](std::size_t last) {
    return std::accumulate(gains_.end() - static_cast<long>(last + window), gains_.end() - static_cast<long>(last),
                           0.0);
  };
  const double now = sum(0), before = sum(window);
  return now < before ? now * now / (before - now) : std::numeric_limits<double>::infinity();
}

void PcgSolver::next_direction(double beta) {
  parallel_chunks(p_.size(), 3 * chunk_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) p_[i] = z_[i] + beta * p_[i];
  });
}

LinearSolveReport PcgSolver::solve(const double* b, double* x) {
  LinearSolveReport report;
  gains_.clear();
  const std::size_t n = r_.size();
  const double b_norm = std::sqrt(parallel_dot(b, b, n));
  if (b_norm == 0) {
    std::fill_n(x, n, 0.0);
    return report;
  }
  double target = options_.tolerance * b_norm;
  double r_norm = std::sqrt(start(b, x));
  const auto finish = [&](bool ok, std::string reason) {
    report.ok = ok;
    report.reason = std::move(reason);
    report.relative_residual = r_norm / b_norm;
    return report;
  };
  if (!std::isfinite(r_norm)) return finish(false, "the right-hand side or the start is not finite");
  const bool by_residual = !(options_.energy_share > 0 || options_.change_share > 0);
  if (r_norm <= target && by_residual) return finish(true, "");

  const Dots dots_at_start = precondition_and_dot(x);
  double rz = dots_at_start.rz;
  if (options_.energy_share > 0) target = options_.energy_share * std::sqrt(std::max(0.0, options_.energy_before + rz));
  if (!by_residual && (rz == 0 || reached(dots_at_start, target))) return finish(true, "");
  std::copy(z_.begin(), z_.end(), p_.begin());
  while (true) {
    if (!(rz > 0)) return finish(false, "the preconditioner is not positive definite");
    const double pq = A_->multiply_dot(p_.data(), q_.data());
    if (!(pq > 0)) {
      const bool start_is_zero = report.iterations == 0 && std::all_of(x, x + n, [](double v) { return v == 0; });
      if (start_is_zero) std::copy(z_.begin(), z_.end(), x);
      return finish(false, std::isnan(pq) ? "the matrix is not finite" : "the matrix is not positive definite");
    }
    ++report.iterations;
    if (options_.by_gains) gains_.push_back(rz * rz / pq);
    const Dots dots = update(rz / pq, x);
    r_norm = std::sqrt(dots.rr);
    const double beta = dots.rz / rz;
    rz = dots.rz;
    if (reached(dots, target)) return finish(true, "");
    if (report.iterations >= options_.max_iterations) return finish(false, "the iteration limit was reached");
    next_direction(beta);
  }
}

}  // namespace sinew
