// Moves prescribed vertices, obstacles and planes to their targets within a minimisation. They move along with the
// bodies, as far as filters allow, and wait until blocking bodies give way.
#pragma once

#include <vector>

#include "sinew/potential/potential.h"

namespace sinew {

// Prescribed motion that presses bodies counts as blocked below this gap, in units of the contact distance: pressures
// are then millions of times Young's modulus.
constexpr double jammed_gap = 1e-8;
// Smallest gap, in units of the contact distance, that prescribed motion may cause: pressures are then hundreds of
// times Young's modulus.
constexpr double closest_gap = 1e-3;
// Prescribed motion pauses for an iteration after moving by less than this share of its displacement.
constexpr double shortest_share = 0.25;
constexpr int most_blocked = 2;   // consecutive blocked iterations; the gap may shrink tenfold in each
constexpr int most_relaxed = 20;  // consecutive iterations of waiting until gaps exceed closest_gap

// The target of prescribed motion in an iteration.
struct Aim {
  bool waits = false;              // a target is not reached yet
  bool relax = false;              // a target is not reached, and the motion pauses so that bodies can give way
  bool open = false;               // a target is not reached, and the motion continues
  double remaining = 0;            // largest distance of a prescribed coordinate or plane from its target [m]
  std::vector<PlaneState> planes;  // planes at a full step
};

class PrescribedMotion {
 public:
  // Call at the start of a minimisation.
  void begin();

  // Returns the aim of an iteration at q and planes (Potential::displacement_to_target). Sets d to the wanted
  // displacement of prescribed coordinates, zero elsewhere. If the aim is `open`, sets drift to the first-order change
  // of the gradient by d.
  Aim aim(Potential& potential, const Points& q, std::vector<PlaneState>& planes, Points& d, Points& drift);

  // Call after a step of length alpha with smallest gap min_distance [m]. Returns whether prescribed motion has been
  // blocked for several iterations.
  bool blocked(const Aim& aim, double alpha, double min_distance, double contact_distance);
  bool blocked() const;
  // Whether gaps are so small that prescribed motion pauses in this iteration.
  bool waits_for_room(const Aim& aim, double min_distance, double contact_distance) const;
  void forget_blocked() { blocked_count_ = 0; }

 private:
  bool relax_next_ = false;  // the filter shortened prescribed motion: let bodies give way first
  int blocked_count_ = 0;    // consecutive blocked iterations
  int relaxed_count_ = 0;    // consecutive iterations of waiting
};

}  // namespace sinew
