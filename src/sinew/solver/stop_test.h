// Decides whether a full step ends a minimisation: the estimated distance to the solution is below the tolerance.
#pragma once

#include "sinew/solver/descent_direction.h"
#include "sinew/solver/force_balance.h"

namespace sinew {

struct LineSearchResult;
struct MinimizeReport;

class StopTest {
 public:
  // tolerance [m/s]: for the mean or the maximum norm. force_tolerance: see ForceBalance.
  StopTest(double tolerance, bool mean_norm, double force_tolerance)
      : tolerance_(tolerance), mean_norm_(mean_norm), balance_(force_tolerance) {}

  // Call at the start of a minimisation.
  void begin() { balance_.begin(); }

  // Tests a full step of length `taken` [m/s] to x (3 x n_all). `direction` must still have the step's matrix, and
  // prescribed motion must be complete. Sets the report's residual to the remaining distance and counts the solves.
  bool solved(Potential& potential, DescentDirection& direction, const Points& x, const StepNorms& taken,
              MinimizeReport& report);

  // Whether only rounding remains: a further step changes neither E nor positions. small: whether the remaining
  // distance `length` [m/s] is below the tolerance.
  bool at_rounding(const LineSearchResult& search, bool small, double length, double position_rounding) const;

  // Whether rounding may end the iterations at x. In statics, only if forces balance or rounding keeps them from
  // balancing.
  bool may_end_at_rounding(Potential& potential, const DescentDirection& direction, const Points& x);

 private:
  double of_motion(const Potential& potential, const Points& x) const;
  bool contacts_confirm(Potential& potential, DescentDirection& direction, const Points& x, double remaining,
                        MinimizeReport& report);

  double tolerance_;
  bool mean_norm_;
  ForceBalance balance_;
  Points g_, correction_;  // work space
  const Points no_drift_;
};

}  // namespace sinew
