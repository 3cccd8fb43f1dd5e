// Moves turning bodies along arcs. The linear motion of a direction stretches a body that it turns by theta by theta^2
// / 2. A stiff body could then turn by no more than sqrt(inertia / stiffness) in an iteration.
//
// The direction d of a body with nothing prescribed is split as
//
//   d_i = v + omega x r_i + e_i,  r_i = x_i - c,
//
// with the centre of mass c and the rigid motion v, omega (least squares by mass). At the step length alpha the body is
// at
//
//   x_i(alpha) = c + alpha v + R (r_i + alpha e_i),
//
// R the rotation of the polar decomposition of I + alpha [omega]. It turns by atan(alpha |omega|), as inertia asks for
// if velocities are linear. To first order this is x + alpha d, so it descends where d does, and Newton's method
// converges as before.
#pragma once

#include <vector>

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

class BodyArcs {
 public:
  explicit BodyArcs(const System& system);

  // Splits d (3 x n_all) at x for bodies whose elastic energy the linear motion of the full step would raise by more
  // than a `share` of -slope.
  void split(const Points& x, const Points& d, const StepContext& context, double slope, double share = 0.1);
  bool any() const { return !turning_.empty(); }

  // motion (3 x n_all), alpha d on entry, becomes x(alpha) - x for these bodies.
  void bend(const Points& x, const Points& d, double alpha, Points& motion) const;

 private:
  struct Rigid {
    Index body = 0;
    Vec3 center, velocity, omega;  // [m], and per unit of alpha [m], [rad]
    Mat3 inertia;                  // about the centre [kg m^2]
  };
  Rigid rigid_motion(const Points& x, const Points& d, Index body) const;

  const System& system_;
  std::vector<std::vector<Index>> vertices_;  // of each body
  std::vector<char> tied_;                    // by body: whether ties join it to another one
  std::vector<double> least_inertia_;         // at rest, about any axis through the centre of mass [kg m^2]
  std::vector<Rigid> turning_;
};

}  // namespace sinew
