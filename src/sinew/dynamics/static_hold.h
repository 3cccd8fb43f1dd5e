// Keeps bodies together in a load step that nothing but contact and friction holds: they have no equilibrium before
// there is a normal force.
//
// A round of a load step minimises E(x) + sum over such pieces k/2 |x - y|^2 with the positions y of the round before
// and a small stiffness k, which falls from round to round (PseudoInertiaEnergy). Where the last term has no force that
// matters the rounds end, and x is an equilibrium of E alone.
#pragma once

#include <vector>

#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

class StaticHold {
 public:
  // Rounds of a load step, at most. The stiffness falls to its least value in fewer.
  static constexpr int most_rounds = 30;

  // A load step of the potential, which must outlive it, starts at x (3 x n_all), whose contacts are set. Nothing in
  // dynamics, and without a potential of full space.
  void begin(const System& system, IncrementalPotential* potential, const Points& x);
  // The load step has ended: E is without the hold.
  void release();

  // After a round that ended at x: whether no force of the hold is above force_tolerance times the largest force.
  bool released(const Points& x, double force_tolerance) const;
  // Whether some piece is gone: it went too far in the round that ended at x.
  bool lost(const Points& x) const;
  // The next round starts at x.
  void next_round(const Points& x);

  // As weak as it gets, at x: what is free then has a little stiffness.
  void hold_least(const Points& x);

  // The body of the piece that the hold pulls at most at x.
  Index pulled_body(const Points& x) const;

 private:
  struct Held {
    FreePiece piece;
    double mass = 0;                  // [kg]
    double least = 0, stiffness = 0;  // of all its vertices [N/m]
  };
  void hold(const Points& x) const;

  const System* system_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  std::vector<Held> pieces_;
};

}  // namespace sinew
