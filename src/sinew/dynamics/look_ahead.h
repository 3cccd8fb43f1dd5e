// Finds bodies that would move through other bodies or obstacles in the next step by a large part of their size. Such a
// step may end on the wrong side, because its minimum does not depend on the path.
#pragma once

#include <vector>

#include "sinew/dynamics/stepper.h"
#include "sinew/model/system.h"

namespace sinew {

struct Meeting {
  Index body = 0, other = 0;       // other: a body, or number of bodies + obstacle
  double distance = 0, sizes = 0;  // relative displacement in the step [m]; the same over the size of the smaller one
  bool first_is_smaller = true;
};

// The size of a body is its diagonal at rest [m]. Displacements are those of centres of mass.
class LookAhead {
 public:
  explicit LookAhead(const System& system);

  // Whether no body can meet another at more than `least` sizes in the next step. kinetic: kinetic energy E of all
  // bodies [J]; a body of mass m moves at most at sqrt(2 E / m).
  bool too_slow(const Clock& clock, double kinetic, double least) const;

  // Finds the bodies that meet at more than `least` sizes in the step after `state`.
  void find(const State& state, double least, std::vector<Meeting>& found);

 private:
  // A body at the start of a step.
  struct Mover {
    Vec3 low, high, velocity;  // bounds [m]; velocity of the centre of mass [m/s]
  };
  struct Obstacle {
    Index owner = 0;
    Vec3 low, high;  // bounds at rest [m]
    Index motion = -1;
    std::vector<Index> triangles;  // numbers in the collision mesh
    double size() const { return (high - low).norm(); }
  };
  void find_bodies(double least, std::vector<Meeting>& found) const;
  void find_obstacles(const State& state, double least, std::vector<Meeting>& found);
  double travel(const Obstacle& obstacle, double from, double to) const;
  bool can_be_passed(const Obstacle& obstacle, const Points& x, const Vec3& center, const Vec3& displacement) const;

  const System& system_;
  std::vector<double> size_, mass_;  // by body: diagonal at rest [m], mass [kg]
  std::vector<Obstacle> obstacles_;  // obstacles that are meshes
  std::vector<Mover> movers_;        // by body
  Points places_;                    // obstacles' vertices at the end of the step
};

}  // namespace sinew
