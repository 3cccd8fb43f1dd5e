// Finds bodies that meet others or obstacles at a good part of their size in the next step, and may then end up on the
// wrong side: the minimum that a step finds knows of no way there.
#pragma once

#include <vector>

#include "sinew/dynamics/stepper.h"
#include "sinew/model/system.h"

namespace sinew {

struct Meeting {
  Index body = 0, other = 0;       // other: a body, or the number of bodies + that of an obstacle
  double distance = 0, sizes = 0;  // of one to the other in the step [m], over the size of the smaller one
  bool first_is_smaller = true;
};

// Sizes are diagonals at rest, ways those of centres of mass.
class LookAhead {
 public:
  explicit LookAhead(const System& system);

  // Whether nothing can meet anything else at more than `least` sizes in the step after the clock. kinetic: the kinetic
  // energy of all bodies [J]. A body of mass m goes at most sqrt(2 E / m).
  bool too_slow(const Clock& clock, double kinetic, double least) const;

  // Those that meet at more than `least` sizes in the step after the state.
  void find(const State& state, double least, std::vector<Meeting>& found);

 private:
  // Of a body at the start of a step.
  struct Mover {
    Vec3 low, high, velocity;  // [m], [m/s] of the centre of mass
  };
  struct Obstacle {
    Index owner = 0;
    Vec3 low, high;  // at rest [m]
    Index motion = -1;
    std::vector<Index> triangles;  // of the collision mesh
    double size() const { return (high - low).norm(); }
  };
  void find_bodies(double least, std::vector<Meeting>& found) const;
  void find_obstacles(const State& state, double least, std::vector<Meeting>& found);
  double travel(const Obstacle& obstacle, double from, double to) const;
  bool can_be_passed(const Obstacle& obstacle, const Points& x, const Vec3& center, const Vec3& displacement) const;

  const System& system_;
  std::vector<double> size_, mass_;  // by body: diagonal at rest [m], [kg]
  std::vector<Obstacle> obstacles_;  // of meshes
  std::vector<Mover> movers_;        // by body
  Points places_;                    // of obstacles' vertices at the end of the step
};

}  // namespace sinew
