// What is prescribed goes on within a minimisation: fixed vertices, obstacles and planes move to their targets along
// with the bodies, as far as filters let them, and wait where bodies must give way first.
#pragma once

#include <vector>

#include "sinew/potential/potential.h"

namespace sinew {

// Gap over the contact distance under which motion that still presses on counts as blocked: pressures are millions of
// times Young's modulus there, and smaller gaps would leave no room to come back from.
constexpr double jammed_gap = 1e-8;
// The gap over the contact distance to which what is prescribed may come by itself: pressures are hundreds of times
// Young's modulus there.
constexpr double closest_gap = 1e-3;
// What is prescribed waits for an iteration after it could go less than this share of its displacement.
constexpr double shortest_share = 0.25;
constexpr int most_blocked = 2;   // iterations in a row without room; the gap may shrink tenfold in each
constexpr int most_relaxed = 20;  // iterations in a row in which it waits until gaps are wider than closest_gap

// Where an iteration is to take what is prescribed.
struct Aim {
  bool waits = false;              // something prescribed is not yet where it should be
  bool relax = false;              // ... and stays there, so that the bodies can give way
  bool open = false;               // ... and moves on
  double remaining = 0;            // largest distance of a prescribed coordinate or plane from its target [m]
  std::vector<PlaneState> planes;  // where the planes are at a full step
};

class PrescribedMotion {
 public:
  // A minimisation starts.
  void begin();

  // The aim of an iteration at q and planes (Potential::displacement_to_target). d: the wanted displacement of what is
  // prescribed, zero elsewhere; drift: the change of the gradient that d causes to first order, where open.
  Aim aim(Potential& potential, const Points& q, std::vector<PlaneState>& planes, Points& d, Points& drift);

  // After a step of length alpha that left `min_distance` [m]: whether obstacles and filters have left no room for some
  // iterations in a row.
  bool blocked(const Aim& aim, double alpha, double min_distance, double contact_distance);
  bool blocked() const;
  // Whether in this iteration what is prescribed stays where it is, for gaps that are still too small to go on.
  bool waits_for_room(const Aim& aim, double min_distance, double contact_distance) const;
  void forget_blocked() { blocked_count_ = 0; }

 private:
  bool relax_next_ = false;  // the filter has cut prescribed motion short: let bodies give way before it goes on
  int blocked_count_ = 0;    // iterations in a row without room
  int relaxed_count_ = 0;    // in which it waited
};

}  // namespace sinew
