// Minimises the problem of a condensed step: Newton's method, or sequential quadratic programming in the mixed
// formulation, with the rule by which it stops.
#pragma once

#include <functional>

#include "sinew/dynamics/condensed_direction.h"
#include "sinew/dynamics/condensed_problem.h"
#include "sinew/dynamics/condensed_search.h"
#include "sinew/dynamics/step_report.h"

namespace sinew {

class CondensedMinimizer {
 public:
  // `problem` must outlive this.
  explicit CondensedMinimizer(CondensedProblem& problem);

  // at: the start, where the problem's step has begun, and the result. Throws whatever check_interrupt throws.
  void minimize(CondensedPoint& at, const std::function<void()>& check_interrupt, StepReport& report);

 private:
  CondensedProblem& problem_;
  CondensedDirection direction_;
  CondensedSearch search_;
  CondensedPoint d_;
};

}  // namespace sinew
