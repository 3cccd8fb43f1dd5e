// Decides whether a full step ends a minimisation: whether the estimated distance to the solution is below the
// tolerance.
#pragma once

#include "sinew/solver/descent_direction.h"
#include "sinew/solver/force_balance.h"

namespace sinew {

struct LineSearchResult;
struct MinimizeReport;

class StopTest {
 public:
  // tolerance [m/s] of the mean norm or the maximum; force_tolerance: ForceBalance.
  StopTest(double tolerance, bool mean_norm, double force_tolerance)
      : tolerance_(tolerance), mean_norm_(mean_norm), balance_(force_tolerance) {}

  // A minimisation starts.
  void begin() { balance_.begin(); }

  // After a full step to x (3 x n_all), `taken` long [m/s], while `direction` has the matrix that gave it. Nothing
  // prescribed has still to move. The report gets what is left as its residual, and counts what is solved here.
  bool solved(Potential& potential, DescentDirection& direction, const Points& x, const StepNorms& taken,
              MinimizeReport& report);

  // Whether rounding is all that is left: E or positions cannot tell a further step from none. `small`: what is left
  // to go, `length` [m/s], is below the tolerance.
  bool at_rounding(const LineSearchResult& search, bool small, double length, double position_rounding) const;

  // Whether rounding may end the iterations at x: in statics forces balance, or rounding keeps them from it.
  bool may_end_at_rounding(Potential& potential, const DescentDirection& direction, const Points& x);

 private:
  double of_motion(const Potential& potential, const Points& x) const;
  bool contacts_confirm(Potential& potential, DescentDirection& direction, const Points& x, double remaining,
                        MinimizeReport& report);

  double tolerance_;
  bool mean_norm_;
  ForceBalance balance_;
  Points g_, correction_;  // work
  const Points no_drift_;
};

}  // namespace sinew
