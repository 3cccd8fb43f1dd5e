// Which Hessian a direction is found with: when the exact one is tried before the projected one.
#pragma once

#include "sinew/potential/energy.h"

namespace sinew {

// Projected Hessians converge slowly where bodies are compressed much, and creep where they slide over an obstacle's
// edge, as they lack what its force does to directions. The exact one serves as long as it is definite; where that is
// not so the attempt is lost, and the next ones are rarer.
class HessianPolicy {
 public:
  // always: whether every direction may try it, as with a factorisation, which finds out soon. Else it is tried where
  // directions hardly get shorter after full steps, or steps are cut.
  explicit HessianPolicy(bool always) : always_(always) {}

  void begin_step() { *this = HessianPolicy(always_); }

  // attempt(projection) finds a direction with that Hessian, or returns false: first with the exact one, where a trial
  // is due, then with the projected one.
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

  // Whether the next direction tries it.
  bool due() const;
  // It did, and the Hessian was definite or not; or it did not.
  void tried(bool definite);
  void passed_over();

  void found(double length);  // of the direction [m]
  void took(double step);     // of it, by the line search; 0 to 1

 private:
  bool always_;
  bool exact_ = false;            // the last direction was
  int skip_ = 0, next_skip_ = 1;  // directions that do not try it; doubled at each failure
  double last_step_ = 1;
  double last_length_ = 0;  // 0: none in this step
  int stalls_ = 0;
};

}  // namespace sinew
