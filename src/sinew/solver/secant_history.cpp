#include "sinew/solver/secant_history.h"

#include <limits>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

double product(const Points& a, const Points& b) {
  return parallel_sum(a.cols(), [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

// x += factor y
void add_multiple(double factor, const Points& y, Points& x) {
  parallel_for(
      x.cols(), [&](std::size_t i) { x.col(i) += factor * y.col(i); }, 4096);
}

}  // namespace

void SecantHistory::add(const Points& s, const Points& y) {
  if (size_ == 0) return;
  const double curvature = product(s, y);
  // Below the rounding of the sum the sign says nothing.
  const double rounding = std::numeric_limits<double>::epsilon() * std::sqrt(product(s, s) * product(y, y));
  if (!(curvature > rounding)) return;
  if (pairs_.empty()) pairs_.resize(size_);
  if (count_ == size_) {
    first_ = (first_ + 1) % size_;
  } else {
    ++count_;
  }
  Pair& last = pair(count_ - 1);
  last.s = s;
  last.y = y;
  last.rho = 1 / curvature;
}

void SecantHistory::apply(const std::function<void(const Points& q, Points& r)>& first, Points& q, Points& r) {
  alpha_.resize(count_);
  for (int k = count_ - 1; k >= 0; --k) {
    const Pair& p = pair(k);
    alpha_[k] = p.rho * product(p.s, q);
    add_multiple(-alpha_[k], p.y, q);
  }
  first(q, r);
  for (int k = 0; k < count_; ++k) {
    const Pair& p = pair(k);
    const double beta = p.rho * product(p.y, r);
    add_multiple(alpha_[k] - beta, p.s, r);
  }
}

double SecantHistory::scale() const {
  if (count_ == 0) return 0;
  const Pair& last = pairs_[(first_ + count_ - 1) % size_];
  return 1 / (last.rho * product(last.y, last.y));
}

}  // namespace sinew
