// Tests whether forces balance at the end of a load step. In statics with stiff bodies a displacement below the
// tolerance may leave large forces.
#pragma once

#include <limits>
#include <span>

#include "sinew/potential/potential.h"

namespace sinew {

class ForceBalance {
 public:
  // The tolerance bounds the largest residual at a free coordinate over the largest force of a term on a vertex. It
  // also bounds a body's total residual over the largest total force of a term on it.
  explicit ForceBalance(double tolerance) : tolerance_(tolerance) {}

  // Call at the start of a minimisation.
  void begin() {
    least_ = std::numeric_limits<double>::infinity();
    without_fall_ = 0;
  }

  // Whether forces balance at q with g = grad E; always true in dynamics, whose residual is a change of velocity.
  // flags: DescentDirection::balanced().
  bool balanced(const Potential& potential, const Points& q, const Points& g, std::span<const char> flags) const;

  // Whether rounding keeps the residual from falling: it has not halved in the last `calls` calls of this minimisation.
  // With small loads on a stiff body far from the origin, rounded positions alone cause forces above the tolerance.
  bool stalled(const Potential& potential, const Points& g, std::span<const char> flags, int calls);

 private:
  double tolerance_;
  double least_ = std::numeric_limits<double>::infinity();  // residual [N] when it last halved
  int without_fall_ = 0;                                    // calls since then
};

}  // namespace sinew
