#include "sinew/newton/hessian_policy.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double slow_rate = 0.5;  // of the lengths of directions, from which it is worth a try
constexpr double cut_step = 0.25;  // of the line search, below which it is, too
constexpr int most_skipped = 4;    // directions after it was indefinite

}  // namespace

// Exact or projected Hessian for the next direction? Projection makes convergence linear (theory, section 4), and a
// failed trial costs a factorisation, or CG up to its negative curvature. A trial is due if exact ones are the rule
// or the last one succeeded, or if directions shrink slowly, or if the line search cut the last one.
bool HessianPolicy::due() const {
  return skip_ == 0 && (always_ || exact_ || stalls_ > 0 || last_step_ < cut_step);
}

// After failures 1, 2, 4, 4, ... directions are projected without a trial: an indefinite region is mostly left only
// after several steps.
void HessianPolicy::tried(bool definite) {
  exact_ = definite;
  skip_ = definite ? 0 : next_skip_;
  next_skip_ = definite ? 1 : std::min(2 * next_skip_, most_skipped);
}

void HessianPolicy::passed_over() {
  exact_ = false;
  if (skip_ > 0) --skip_;
}

// A full step whose next direction is more than half as long: linear convergence at a rate above 1/2. Newton's method
// with the exact Hessian would have squared the error.
void HessianPolicy::found(double length) {
  const bool stalls = last_step_ == 1 && length > slow_rate * last_length_ && last_length_ > 0;
  stalls_ = stalls ? stalls_ + 1 : 0;
  last_length_ = length;
}

void HessianPolicy::took(double step) {
  last_step_ = step;
}

}  // namespace sinew
