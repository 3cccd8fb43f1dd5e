// Prescribed motion within a minimisation. Prescribed vertices, obstacles and planes move to their targets along with
// the bodies, as far as filters allow, and wait until blocking bodies give way.
#pragma once

#include <vector>

#include "sinew/potential/potential.h"

namespace sinew {

// Below this gap, in units of the contact distance, pressing motion is blocked: pressures are millions of times Young's
// modulus.
constexpr double jammed_gap = 1e-8;
// Smallest gap, in units of the contact distance, that prescribed motion may cause: pressures are hundreds of times
// Young's modulus.
constexpr double closest_gap = 1e-3;
// Prescribed motion waits for an iteration after moving by less than this share of its displacement.
constexpr double shortest_share = 0.25;
constexpr int most_blocked = 2;   // consecutive blocked iterations; the gap may shrink tenfold in each
constexpr int most_relaxed = 20;  // consecutive iterations of waiting for gaps above closest_gap

// The target of prescribed motion in an iteration.
struct Aim {
  bool waits = false;              // a target is not reached yet
  bool relax = false;              // ... and the motion pauses so that bodies can give way
  bool open = false;               // ... and the motion continues
  double remaining = 0;            // largest distance of a prescribed coordinate or plane from its target [m]
  std::vector<PlaneState> planes;  // planes at a full step
};

class PrescribedMotion {
 public:
  // Call at the start of a minimisation.
  void begin();

  // Returns the aim of an iteration at q and planes (Potential::displacement_to_target). d: wanted displacement of
  // prescribed coordinates, zero elsewhere. drift: first-order change of the gradient by d, if open.
  Aim aim(Potential& potential, const Points& q, std::vector<PlaneState>& planes, Points& d, Points& drift);

  // Call after a step of length alpha with smallest gap min_distance [m]. Returns whether the motion has been blocked
  // for several iterations.
  bool blocked(const Aim& aim, double alpha, double min_distance, double contact_distance);
  bool blocked() const;
  // Whether prescribed motion pauses in this iteration because gaps are too small.
  bool waits_for_room(const Aim& aim, double min_distance, double contact_distance) const;
  void forget_blocked() { blocked_count_ = 0; }

 private:
  bool relax_next_ = false;  // the filter shortened prescribed motion: let bodies give way first
  int blocked_count_ = 0;    // consecutive blocked iterations
  int relaxed_count_ = 0;    // consecutive iterations of waiting
};

}  // namespace sinew
