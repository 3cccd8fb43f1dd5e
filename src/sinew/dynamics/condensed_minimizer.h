// Minimises the problem of a condensed step: Newton's method, or sequential quadratic programming in the mixed
// formulation, with the rule by which it stops.
#pragma once

#include <functional>

#include "sinew/dynamics/condensed_direction.h"
#include "sinew/dynamics/condensed_problem.h"
#include "sinew/dynamics/condensed_search.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

class CondensedMinimizer {
 public:
  // `problem` must outlive this.
  explicit CondensedMinimizer(CondensedProblem& problem);

  // at: the start, where the problem's step has begun, and the result. Throws whatever check_interrupt throws.
  void minimize(CondensedPoint& at, const std::function<void()>& check_interrupt, StepReport& report);

  // Of a minimisation that did not converge: cause, reason and what was tried, and where the last direction led to.
  const MinimizeReport& end() const { return end_; }
  void last_target(const MatX& y, MatX& target) { problem_.space().move(y, d_.y, 1, target); }

 private:
  void iterate(CondensedPoint& at, const std::function<void()>& check_interrupt, StepReport& report);
  void give_up(Cause cause, std::string reason);
  CondensedProblem& problem_;
  CondensedDirection direction_;
  CondensedSearch search_;
  CondensedPoint d_;
  MinimizeReport end_;
};

}  // namespace sinew
