#include "sinew/linalg/pcg.h"

#include <algorithm>
#include <atomic>
#include <cmath>
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

// One pass, a chunk at a time while it is in cache: x += alpha p, r -= alpha q, z = M^{-1} r when M is local, r^T z,
// r^T r.
PcgSolver::Dots PcgSolver::chunked_dots(double alpha, double* x, bool apply_local) {
  parallel_chunks(r_.size() / 3, chunk_rows, [&](std::size_t begin, std::size_t end) {
    double* r = r_.data();
    const double *p = p_.data(), *q = q_.data();
    if (x) {
      for (std::size_t i = 3 * begin; i < 3 * end; ++i) x[i] += alpha * p[i];
      for (std::size_t i = 3 * begin; i < 3 * end; ++i) r[i] -= alpha * q[i];
    }
    if (apply_local) preconditioner_->apply_rows(r, z_.data(), static_cast<Index>(begin), static_cast<Index>(end));
    const std::size_t count = 3 * (end - begin);
    partial_[begin / chunk_rows] = {dot(r + 3 * begin, z_.data() + 3 * begin, count),
                                    dot(r + 3 * begin, r + 3 * begin, count)};
  });
  Dots total{0, 0};
  for (const Dots& part : partial_) {
    total.rz += part.rz;
    total.rr += part.rr;
  }
  return total;
}

PcgSolver::Dots PcgSolver::precondition_and_dot() {
  const bool local = preconditioner_->is_local();
  if (!local) preconditioner_->apply(r_.data(), z_.data());
  return chunked_dots(0, nullptr, local);
}

PcgSolver::Dots PcgSolver::update(double alpha, double* x) {
  if (preconditioner_->is_local()) return chunked_dots(alpha, x, true);
  Dots dots = chunked_dots(alpha, x, false);
  preconditioner_->apply(r_.data(), z_.data());
  dots.rz = parallel_dot(r_.data(), z_.data(), r_.size());
  return dots;
}

void PcgSolver::next_direction(double beta) {
  parallel_chunks(p_.size(), 3 * chunk_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) p_[i] = z_[i] + beta * p_[i];
  });
}

LinearSolveReport PcgSolver::solve(const double* b, double* x) {
  LinearSolveReport report;
  const std::size_t n = r_.size();
  const double b_norm = std::sqrt(parallel_dot(b, b, n));
  if (b_norm == 0) {
    std::fill_n(x, n, 0.0);
    return report;
  }
  const double target = options_.tolerance * b_norm;
  double r_norm = std::sqrt(start(b, x));
  const auto finish = [&](bool ok, std::string reason) {
    report.ok = ok;
    report.reason = std::move(reason);
    report.relative_residual = r_norm / b_norm;
    return report;
  };
  if (!std::isfinite(r_norm)) return finish(false, "the right-hand side or the start is not finite");
  const bool by_energy = options_.energy_target > 0;
  if (r_norm <= target && !by_energy) return finish(true, "");

  double rz = precondition_and_dot().rz;
  const auto reached = [&] { return by_energy ? std::sqrt(rz) <= options_.energy_target : r_norm <= target; };
  if (by_energy && (rz == 0 || reached())) return finish(true, "");
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
    const Dots dots = update(rz / pq, x);
    r_norm = std::sqrt(dots.rr);
    const double beta = dots.rz / rz;
    rz = dots.rz;
    if (reached()) return finish(true, "");
    if (report.iterations >= options_.max_iterations) return finish(false, "the iteration limit was reached");
    next_direction(beta);
  }
}

}  // namespace sinew
