#include "sinew/quasi_newton/secant_history.h"

#include <limits>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t chunk_numbers = 3 * 1024;  // of a pass; they stay in the first-level cache of one thread

auto part(Points& x, std::size_t begin, std::size_t end) {
  return Eigen::Map<VecX>(x.data() + begin, static_cast<Eigen::Index>(end - begin));
}

auto part(const Points& x, std::size_t begin, std::size_t end) {
  return Eigen::Map<const VecX>(x.data() + begin, static_cast<Eigen::Index>(end - begin));
}

double product(const Points& a, const Points& b) {
  return parallel_sum_chunks<double>(a.size(), chunk_numbers, [&](std::size_t begin, std::size_t end) {
    return part(a, begin, end).dot(part(b, begin, end));
  });
}

// x += factor y; returns z . x, in one pass.
double add_and_multiply(double factor, const Points& y, Points& x, const Points& z) {
  return parallel_sum_chunks<double>(x.size(), chunk_numbers, [&](std::size_t begin, std::size_t end) {
    part(x, begin, end) += factor * part(y, begin, end);
    return part(z, begin, end).dot(part(x, begin, end));
  });
}

void add_multiple(double factor, const Points& y, Points& x) {
  parallel_chunks(x.size(), chunk_numbers,
                  [&](std::size_t begin, std::size_t end) { part(x, begin, end) += factor * part(y, begin, end); });
}

}  // namespace

// Keeps the pair s = x' - x, y = g' - g in the place of the oldest one if its curvature s . y is positive.
void SecantHistory::add(const Points& s, const Points& y) {
  if (size_ == 0) return;
  const double curvature = product(s, y);
  // s . y must be positive beyond the rounding of the sum.
  const double rounding = std::numeric_limits<double>::epsilon() * std::sqrt(product(s, s) * product(y, y));
  if (!(curvature > rounding)) return;
  if (pairs_.empty()) pairs_.resize(size_);
  if (count_ == size_) {
    first_ = (first_ + 1) % size_;
  } else {
    ++count_;
  }
  Pair& last = pair(count_ - 1);
  last.s.resize(3, s.cols());
  last.y.resize(3, y.cols());
  parallel_chunks(s.size(), chunk_numbers, [&](std::size_t begin, std::size_t end) {
    part(last.s, begin, end) = part(s, begin, end);
    part(last.y, begin, end) = part(y, begin, end);
  });
  last.rho = 1 / curvature;
}

// L-BFGS (QN, algorithm 2; Nocedal and Wright 2006, algorithm 7.4), with rho_k = 1 / (s_k . y_k):
//
// 1. for k from the newest pair to the oldest:  alpha_k = rho_k s_k . q,   q -= alpha_k y_k
// 2. r = A_0^{-1} q
// 3. for k from the oldest pair to the newest:  r += (alpha_k - rho_k y_k . r) s_k
//
// Vectors are far larger than caches, and bytes are the cost. Each pass adds a multiple of one vector and forms the
// next product with the result: 2 m passes for m pairs in place of 4 m.
void SecantHistory::apply(const std::function<void(const Points& q, Points& r)>& first, Points& q, Points& r) {
  if (count_ == 0) return first(q, r);
  alpha_.resize(count_);
  // Step 1.
  double next = product(pair(count_ - 1).s, q);
  for (int k = count_ - 1; k >= 0; --k) {
    alpha_[k] = pair(k).rho * next;
    if (k > 0) {
      next = add_and_multiply(-alpha_[k], pair(k).y, q, pair(k - 1).s);
    } else {
      add_multiple(-alpha_[k], pair(k).y, q);
    }
  }
  // Step 2.
  first(q, r);
  // Step 3.
  next = product(pair(0).y, r);
  for (int k = 0; k < count_; ++k) {
    const double factor = alpha_[k] - pair(k).rho * next;
    if (k + 1 < count_) {
      next = add_and_multiply(factor, pair(k).s, r, pair(k + 1).y);
    } else {
      add_multiple(factor, pair(k).s, r);
    }
  }
}

// s^T y / y^T y of the newest pair, the scale of the inverse Hessian along its last step.
double SecantHistory::scale() const {
  if (count_ == 0) return 0;
  const Pair& last = pairs_[(first_ + count_ - 1) % size_];
  return 1 / (last.rho * product(last.y, last.y));
}

}  // namespace sinew
