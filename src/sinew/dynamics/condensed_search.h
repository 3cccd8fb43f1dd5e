// How far a condensed step goes along a direction: as far as nothing touches, and as the merit function, or where
// elastic forces have no energy their work, falls.
#pragma once

#include "sinew/dynamics/condensed_problem.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

class CondensedSearch {
 public:
  // `problem` must outlive this.
  explicit CondensedSearch(CondensedProblem& problem);

  // Moves `at`, where the problem is linearised, along d with the slope of the merit function there; longest: |U d| of
  // the fastest point [m]. A d that is too long for filters is cut. Returns the part of d that was taken, or 0.
  double search(CondensedPoint& at, CondensedPoint& d, double slope, double longest, StepReport& report);
  // Moves `at` along d with what is prescribed, as far as nothing touches and no tet inverts: the merit function may
  // grow. Returns the part, or 0, where nothing has moved.
  double follow(CondensedPoint& at, CondensedPoint& d, double longest, StepReport& report);

  // Of the last search: the longest step that filters let through, and what they saw.
  double filter() const { return filter_; }
  StepLimit limit() const { return limit_; }

 private:
  void begin();
  void note_filter(double t);
  void note_inversion(double t);
  double cut(CondensedPoint& d, double longest) const;
  double followed(const MatX& y, const MatX& d, double t);
  void add_stretches(const CondensedPoint& at, const CondensedPoint& d, double t);
  bool is_flatter(const CondensedPoint& d, double slope);
  double search_by_merit(CondensedPoint& at, const CondensedPoint& d, double slope, double reach, StepReport& report);
  double search_by_work(CondensedPoint& at, const CondensedPoint& d, double slope, double reach, StepReport& report);
  double filtered(const MatX& y, const MatX& d, double t);
  double next(const MatX& y, const MatX& d, double t);
  double rounding_of(const MatX& y, double coordinates, double elastic);

  CondensedProblem& problem_;
  CondensedPoint trial_;
  MatX target_;
  double filter_ = 1;
  StepLimit limit_ = StepLimit::none;
};

}  // namespace sinew
