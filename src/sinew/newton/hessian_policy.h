// Chooses between the exact and the projected Hessian for each direction.
#pragma once

#include "sinew/potential/energy.h"

namespace sinew {

// Projected Hessians converge slowly for strongly compressed bodies and for bodies that slide over an obstacle's edge,
// whose force changes direction. The exact Hessian works while it is positive definite. A failed attempt is wasted, so
// attempts become rarer after failures.
class HessianPolicy {
 public:
  // always: try the exact Hessian for every direction. This suits factorisations, which fail early. Otherwise the exact
  // Hessian is tried if directions hardly shrink after full steps, or if steps are shortened.
  explicit HessianPolicy(bool always) : always_(always) {}

  void begin_step() { *this = HessianPolicy(always_); }

  // Calls attempt(projection), which computes a direction with that Hessian or returns false. The first call is with
  // the exact Hessian, if due; if that fails, the second is with the projected one.
  template <class Attempt>
  bool run(Attempt&& attempt) {
    if (due()) {
      const bool definite = attempt(Projection::none);
      tried(definite);
      if (definite) return true;
    } else {
      passed_over();
    }
    return attempt(Projection::psd);
  }

  // Whether the next direction tries the exact Hessian.
  bool due() const;
  // tried() records an attempt, and whether the exact Hessian was positive definite. passed_over() records a direction
  // without an attempt.
  void tried(bool definite);
  void passed_over();

  void found(double length);  // length of the direction [m]
  void took(double step);     // step length of the line search, 0 to 1

 private:
  bool always_;
  bool exact_ = false;            // the last direction was exact
  int skip_ = 0, next_skip_ = 1;  // directions without an attempt; doubled at each failure
  double last_step_ = 1;
  double last_length_ = 0;  // 0: no direction in this step yet [m]
  int stalls_ = 0;
};

}  // namespace sinew
