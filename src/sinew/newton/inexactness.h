// How well the directions of an inexact Newton method are solved (Dembo, Eisenstat and Steihaug 1982, "Inexact Newton
// methods").
#pragma once

#include "sinew/core/types.h"
#include "sinew/linalg/linear_solver.h"

namespace sinew {

// A direction is solved until the energy norm of its error is a forcing term of that of the direction. The forcing term
// follows the model: where the quadratic model predicted the last change of E well, a better direction is worth its
// price (Eisenstat and Walker 1996, "Choosing the forcing terms in an inexact Newton method", choice 1; by energies as
// in An, Mo and Liu 2007, "A choice of forcing terms in inexact Newton method"),
//
//   eta_k = clamp(|dE_k-1 - dm_k-1| / |dm_k-1|, forcing / 10, forcing)   after a full step, else forcing.
//
// The direction that may end a step is judged by its length, and a loose one may be short where the exact one is not:
// what ended by one estimate of its error alone does not confirm the end, and the next direction meets all.
class Inexactness {
 public:
  // forcing: solver.multilevel.forcing. max_iterations: of a direction; last_iterations: of one that may end the step.
  Inexactness(double forcing, int max_iterations, int last_iterations);

  // length: the mean displacement of a vertex [m] under which a direction may end the step.
  void begin_step(double length);

  // d = H^{-1} rhs, from zero, with the system that `solver` has taken in. ok: d is good enough for what it may be used
  // for. Both 3 x n.
  LinearSolveReport solve(LinearSolver& solver, const Points& rhs, Points& d);
  // What is left after a step, which need not be known better than to a part.
  LinearSolveReport correct(LinearSolver& solver, const Points& rhs, Points& d);

  // The line search took a share alpha of the direction; model_error: DescentDirection::accepted.
  void accepted(double alpha, double model_error);
  // Whether the last direction can end the step; if not, the next one is solved better.
  bool confirm();

  double forcing_term() const { return forcing_term_; }

 private:
  double forcing_;
  int max_iterations_, last_iterations_;
  double length_ = 0;
  double forcing_term_;
  bool rough_ = false;    // the last direction met one estimate of its error, and not all
  bool careful_ = false;  // ... which did not confirm the end
};

}  // namespace sinew
