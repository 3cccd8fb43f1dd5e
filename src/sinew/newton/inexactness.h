// Sets the accuracy of linear solves in an inexact Newton method (Dembo, Eisenstat and Steihaug 1982, "Inexact Newton
// methods").
#pragma once

#include "sinew/core/types.h"
#include "sinew/linalg/linear_solver.h"

namespace sinew {

// A direction is solved until the energy norm of its error is below a fraction, the forcing term, of the energy norm of
// the direction. The forcing term is smaller if the quadratic model predicted the last change of E well. It follows
// choice 1 of Eisenstat and Walker 1996, "Choosing the forcing terms in an inexact Newton method". Energies replace
// residuals, as in An, Mo and Liu 2007, "A choice of forcing terms in inexact Newton method":
//
//   eta_k = clamp(|dE_k-1 - dm_k-1| / |dm_k-1|, forcing / 10, forcing)   after a full step, else forcing.
//
// A direction that may end a step is judged by its length, and an inexact direction may be too short. If a solve met
// only one of its two error estimates, the direction does not confirm the end. The next direction must then meet both.
class Inexactness {
 public:
  // forcing: solver.multilevel.forcing. max_iterations: limit for a direction. last_iterations: limit for a direction
  // that may end the step.
  Inexactness(double forcing, int max_iterations, int last_iterations);

  // length: mean displacement of a vertex [m]; a shorter direction may end the step.
  void begin_step(double length);

  // Solves d = H^{-1} rhs (both 3 x n) from zero, with the system of `solver`. The report is ok if d is accurate enough
  // for its use.
  LinearSolveReport solve(LinearSolver& solver, const Points& rhs, Points& d);
  // Solves for a correction, to low relative accuracy.
  LinearSolveReport correct(LinearSolver& solver, const Points& rhs, Points& d);

  // Call after a line search of length alpha. model_error: DescentDirection::accepted.
  void accepted(double alpha, double model_error);
  // Whether the last direction may end the step. If not, the next one is solved more accurately.
  bool confirm();

  double forcing_term() const { return forcing_term_; }

 private:
  double forcing_;
  int max_iterations_, last_iterations_;
  double length_ = 0;
  double forcing_term_;
  bool rough_ = false;    // the last direction met only one of its error estimates
  bool careful_ = false;  // a rough direction did not confirm the end
};

}  // namespace sinew
