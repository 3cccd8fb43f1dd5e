// Moves rotating bodies along arcs. A linear motion that rotates a body by theta also stretches the body by theta^2 /
// 2. A stiff body could then rotate by no more than sqrt(inertia / stiffness) in an iteration.
//
// The direction d of a body without prescribed vertices is split as
//
//   d_i = v + omega x r_i + e_i,  r_i = x_i - c,
//
// where c is the centre of mass and v, omega are the rigid motion (least squares by mass). At the step length alpha the
// body is at
//
//   x_i(alpha) = c + alpha v + R (r_i + alpha e_i),
//
// where R is the rotation of the polar decomposition of I + alpha [omega]. R rotates by atan(alpha |omega|), as inertia
// asks for if velocities are linear. To first order the motion is x + alpha d. It therefore descends wherever d
// descends, and Newton's method converges as before.
#pragma once

#include <vector>

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew {

class BodyArcs {
 public:
  explicit BodyArcs(const System& system);

  // Splits d (3 x n_all) at x (3 x n_all). Selects the bodies whose elastic energy the full linear step would raise by
  // more than a `share` of -slope, where `slope` is that of E along d.
  void split(const Points& x, const Points& d, const StepContext& context, double slope, double share = 0.1);
  bool any() const { return !turning_.empty(); }

  // For the bodies that split() selected, changes motion (3 x n_all) from alpha d to x(alpha) - x.
  void bend(const Points& x, const Points& d, double alpha, Points& motion) const;

 private:
  struct Rigid {
    Index body = 0;
    Vec3 center, velocity, omega;  // center [m]; velocity [m] and omega [rad] per unit of alpha
    Mat3 inertia;                  // about the centre [kg m^2]
  };
  Rigid rigid_motion(const Points& x, const Points& d, Index body) const;

  const System& system_;
  std::vector<std::vector<Index>> vertices_;  // by body
  std::vector<char> tied_;                    // by body: whether ties join it to another body
  // By body: the smallest moment of inertia at rest about an axis through the centre of mass [kg m^2].
  std::vector<double> least_inertia_;
  std::vector<Rigid> turning_;
};

}  // namespace sinew
