#include "sinew/solver/force_balance.h"

namespace sinew {

bool ForceBalance::balanced(const Potential& potential, const Points& q, const Points& g,
                            std::span<const char> flags) const {
  return potential.has_inertia() || potential.forces_balance(q, g, flags, tolerance_);
}

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
