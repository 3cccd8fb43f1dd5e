// Directions of a condensed step: H d = -g by a factored matrix, which of few dense modes is kept over iterations with
// Broyden's updates, by the derivative of modal cubature's forces itself, or by differences of these (theory, sections
// 6 and 9).
#pragma once

#include "sinew/dynamics/broyden_updates.h"
#include "sinew/dynamics/condensed_problem.h"
#include "sinew/dynamics/step_report.h"

namespace sinew {

struct CondensedDirectionResult {
  bool found = false;
  double longest = 0;               // |U d| of the fastest point [m]
  double largest = 0, measure = 0;  // |U d| / h: of the fastest point, in the norm of the tolerance [m/s]
  double slope = 0;                 // of the merit function
};

class CondensedDirection {
 public:
  // `problem` must outlive this.
  explicit CondensedDirection(CondensedProblem& problem);

  void begin_step();
  // At a point, where the problem is linearised unless it is. d: dy, and ds in the mixed formulation.
  CondensedDirectionResult direction(const CondensedPoint& at, CondensedPoint& d, StepReport& report);
  // Along with obstacles and prescribed coordinates that are `left` [m] from their places: H d = -(g + drift). Its
  // slope says nothing of the merit function, as they do work.
  CondensedDirectionResult along(const CondensedPoint& at, double left, CondensedPoint& d, StepReport& report);
  // Whether the last direction was that of a new factorisation.
  bool is_fresh() const { return !updates_.is_usable(); }
  // The line search took a step along the last direction; full: all of it.
  void took(const MatX& d, bool full);

 private:
  bool can_keep_factor() const;
  CondensedDirectionResult measured(CondensedPoint& d, bool with_way);
  bool solve(const MatX& y, const MatX& g, MatX& d, StepReport& report);
  bool solve_by_differences(const MatX& y, const MatX& g, MatX& d, StepReport& report);

  CondensedProblem& problem_;
  BroydenUpdates updates_;                // of the factored matrix, of dense modes
  bool exact_ = false;                    // modal cubature: the symmetric matrix converges slowly in this step
  MatX along_;                            // g + drift
  MatX moved_, differenced_, shifted_y_;  // work space of differences
};

}  // namespace sinew
