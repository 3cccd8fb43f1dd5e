#include "sinew/solver/force_balance.h"

namespace sinew {

// max_i |g_i| <= force_tolerance max over terms and i of |f_i|, in statics. In dynamics inertia bounds d for a given
// g, and the length of d decides alone.
bool ForceBalance::balanced(const Potential& potential, const Points& q, const Points& g,
                            std::span<const char> flags) const {
  return potential.has_inertia() || potential.forces_balance(q, g, flags, tolerance_);
}

// Rounding of contact forces, whose gaps are differences of nearly equal numbers, may keep g from falling. After
// `calls` tests in which its maximum did not halve, forces count as balanced.
bool ForceBalance::stalled(const Potential& potential, const Points& g, std::span<const char> flags, int calls) {
  const double now = potential.residual(g, flags);
  if (now <= 0.5 * least_) {
    least_ = now;
    without_fall_ = 0;
  } else {
    ++without_fall_;
  }
  return without_fall_ >= calls;
}

}  // namespace sinew
