// Holds bodies that only contact and friction support in a load step. Without a hold they have no equilibrium until
// there is a normal force.
//
// Each round of a load step minimises E(x) + sum over these bodies' pieces of k/2 |x - y|^2 (PseudoInertiaEnergy). Here
// y are the positions at the end of the previous round, and k is a small stiffness that decreases. Rounds end when the
// force of the added term is negligible: x is then an equilibrium of E alone.
#pragma once

#include <vector>

#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

class StaticHold {
 public:
  // The largest number of rounds in a load step. The stiffness reaches its smallest value earlier.
  static constexpr int most_rounds = 30;

  // Begins a load step of the potential, which must outlive this, at x (3 x n_all) with contacts set. Does nothing in
  // dynamics, or if `potential` is null (no full-space potential).
  void begin(const System& system, IncrementalPotential* potential, const Points& x);
  // Ends the load step and removes the hold from E.
  void release();

  // Whether, after a round that ended at x, all forces of the hold are below force_tolerance times the largest force of
  // a term.
  bool released(const Points& x, double force_tolerance) const;
  // Whether a held piece moved too far in the round that ended at x.
  bool lost(const Points& x) const;
  // Starts the next round at x.
  void next_round(const Points& x);

  // Holds bodies at x with the smallest stiffness.
  void hold_least(const Points& x);

  // Returns the body of the piece with the largest force of the hold at x.
  Index pulled_body(const Points& x) const;

 private:
  struct Held {
    FreePiece piece;
    double mass = 0;                  // [kg]
    double least = 0, stiffness = 0;  // stiffness k of each of its vertices and its smallest value [N/m]
  };
  void hold(const Points& x) const;

  const System* system_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  std::vector<Held> pieces_;
};

}  // namespace sinew
