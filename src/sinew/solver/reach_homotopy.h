// Longer barriers for a while, where contacts that a direction cannot see cut steps one after the other.
//
// The pair that blocks a step is outside the barrier, so no Hessian contains it. Barriers that begin at f times the
// contact distance make such pairs visible. A pair that was closer than that at the start of the step gets a barrier
// from its distance there on, so nothing at rest is pushed. The factor f falls to one as steps lengthen, and the
// iterations end with the scene's own barriers.
#pragma once

namespace sinew {

class ReachHomotopy {
 public:
  // Call at the start of a minimisation. The factor is one.
  void begin() { *this = {}; }

  // The factor for the next iteration, after a step of length alpha. cut: contacts shortened the step. ends: with
  // a factor of one, the iterations would end here.
  double next(double alpha, bool cut, bool ends);

 private:
  double factor_ = 1;
  bool used_ = false;   // once per minimisation
  int cuts_ = 0;        // short steps in a row
  int iterations_ = 0;  // with the present factor
};

}  // namespace sinew
