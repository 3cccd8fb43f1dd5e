// Whether a full step ends a minimisation: what is left to go is below the tolerance.
#pragma once

#include "sinew/solver/descent_direction.h"

namespace sinew {

struct MinimizeReport;

// Lengths of a displacement d (3 x n or more [m]) of the first n vertices, over h [s]: of the fastest and on average.
struct StepNorms {
  double max = 0, mean = 0;  // [m/s]
};
StepNorms step_norms(const Points& d, Index n, double h);

class StopTest {
 public:
  // tolerance [m/s] of the mean norm or the maximum.
  StopTest(double tolerance, bool mean_norm) : tolerance_(tolerance), mean_norm_(mean_norm) {}

  // After a full step to x (3 x n_all), `taken` long [m/s], while `direction` has the matrix that gave it. Nothing
  // prescribed has still to move. The report gets what is left as its residual, and counts what is solved here.
  bool solved(IncrementalPotential& potential, DescentDirection& direction, const Points& x, const StepNorms& taken,
              MinimizeReport& report);

 private:
  bool contacts_settled(IncrementalPotential& potential, const Points& x, const Points& g);
  bool contacts_confirm(IncrementalPotential& potential, DescentDirection& direction, const Points& x, double left,
                        MinimizeReport& report);

  double tolerance_;
  bool mean_norm_;
  Points g_, correction_, contact_forces_;  // work
  const Points no_drift_;
};

}  // namespace sinew
