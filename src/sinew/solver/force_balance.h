// Whether forces balance at the end of a load step. In statics a displacement below the tolerance leaves forces of any
// size where the bodies are stiff.
#pragma once

#include <limits>
#include <span>

#include "sinew/potential/potential.h"

namespace sinew {

class ForceBalance {
 public:
  // tolerance: of the largest residual at a free coordinate over the largest force of a term on a vertex, and of the
  // sum of the residuals of a body over the largest sum of a term on it.
  explicit ForceBalance(double tolerance) : tolerance_(tolerance) {}

  // A minimisation starts.
  void begin() {
    least_ = std::numeric_limits<double>::infinity();
    without_fall_ = 0;
  }

  // Whether forces balance at q, where g = grad E; true in dynamics, whose residual is a change of velocity. flags:
  // DescentDirection::balanced().
  bool balanced(const Potential& potential, const Points& q, const Points& g, std::span<const char> flags) const;

  // Whether rounding keeps the residual from falling: in so many calls running of this minimisation it has not come
  // below half of what it was before them. Of small loads on a stiff body far from the origin the roundings of
  // positions alone are forces above the tolerance.
  bool stalled(const Potential& potential, const Points& g, std::span<const char> flags, int calls);

 private:
  double tolerance_;
  double least_ = std::numeric_limits<double>::infinity();  // residual [N], when it last fell to half
  int without_fall_ = 0;                                    // calls since then
};

}  // namespace sinew
