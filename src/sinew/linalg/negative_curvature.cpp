#include "sinew/linalg/negative_curvature.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/core/random_stream.h"

namespace sinew {
namespace {

constexpr std::uint64_t seed = 20;
// r^T M^-1 r over that at the start where the random vector counts as solved for: all eigenvalues that it has much of
// have had their say.
constexpr double solved = 1e-6;

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return parallel_sum_chunks(a.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += a[i] * b[i];
    return sum;
  });
}

// y += a x
void add(double a, const Vector& x, Vector& y) {
  parallel_for(
      y.size(), [&](std::size_t i) { y[i] += a * x[i]; }, 1 << 14);
}

}  // namespace

Definiteness find_negative_curvature(const SymBlockMatrix& A, const Preconditioner& M, int max_iterations, double* z) {
  Vector diagonal(3 * static_cast<std::size_t>(A.rows()));
  for (Index i = 0; i < A.rows(); ++i)
    for (int k = 0; k < 3; ++k)
      diagonal[3 * static_cast<std::size_t>(i) + k] = A.block(A.pattern().row_begin[i])[4 * k];
  return find_negative_curvature({diagonal, [&](const double* x, double* y) { return A.multiply_dot(x, y); },
                                  [&](const double* r, double* s) { M.apply(r, s); }},
                                 max_iterations, z);
}

// r residual, s = M^-1 r, p search direction, q = A p. p^T M p follows from the recurrence p = s + beta p with
// p_old^T r = 0: p^T M p = r^T s + beta^2 p_old^T M p_old. The start is r = D M^-1 b with random b and the diagonal D:
// of all that may be unstable it has most of what is soft, the modes of whole bodies.
Definiteness find_negative_curvature(const SymmetricOperator& A, int max_iterations, double* z) {
  const std::size_t n = A.diagonal.size();
  Vector r(n), s(n), p(n), q(n);
  parallel_for((n + 2) / 3,
               [&](std::size_t i) {
                 RandomStream random(seed, i);
                 for (std::size_t k = 3 * i; k < std::min(n, 3 * i + 3); ++k)
                   r[k] = (2 * random.uniform() - 1) * std::sqrt(std::abs(A.diagonal[k]));
               },
               1024);
  A.precondition(r.data(), s.data());
  parallel_for(
      n, [&](std::size_t k) { r[k] = std::abs(A.diagonal[k]) * s[k]; }, 1024);
  A.precondition(r.data(), s.data());
  double rs = dot(r, s);
  const double at_start = rs;
  p = s;
  double pMp = rs;
  for (int i = 0; i < max_iterations; ++i) {
    if (!(rs > 0) || !std::isfinite(rs)) return Definiteness::unknown;
    const double pq = A.multiply(p.data(), q.data());
    if (!std::isfinite(pq)) return Definiteness::unknown;
    double noise = 0;
    if (A.rounding > 0)
      for (std::size_t k = 0; k < n; ++k) noise += A.rounding * std::abs(A.diagonal[k]) * p[k] * p[k];
    if (pq <= -(least_curvature * pMp + noise)) {
      std::copy(p.begin(), p.end(), z);
      return Definiteness::indefinite;
    }
    if (!(pq > 0)) return Definiteness::positive;  // no curvature to speak of
    add(-rs / pq, q, r);
    A.precondition(r.data(), s.data());
    const double rs_new = dot(r, s);
    if (rs_new <= solved * at_start) return Definiteness::positive;
    const double beta = rs_new / rs;
    rs = rs_new;
    parallel_for(
        n, [&](std::size_t k) { p[k] = s[k] + beta * p[k]; }, 1 << 14);
    pMp = rs + beta * beta * pMp;
  }
  return Definiteness::unknown;
}

}  // namespace sinew
