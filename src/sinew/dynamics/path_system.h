// The equations of a path of equilibria: grad E(x; t) = 0 at free coordinates, and an equation for the step along the
// path. Prescribed coordinates and obstacles are at their places at load t.
#pragma once

#include <optional>
#include <vector>

#include "sinew/dynamics/step_model.h"
#include "sinew/linalg/signed_factor.h"
#include "sinew/model/system.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

struct PathPoint {
  Points x;  // 3 x n_all
  std::vector<PlaneState> planes;
  double load = 0;  // t
};

// A change of a point.
struct PathVector {
  Points x;  // 3 x n_all
  double load = 0;
};

// The equation of a point z that makes it unique: its distance from `origin` along the tangent, <tangent, z - origin> =
// length, or its load.
struct PathConstraint {
  PathVector tangent;
  Points origin;  // 3 x n_all
  double length = 0;
  std::optional<double> load;
};

class PathSystem {
 public:
  // Equations from the state `from`, whose positions and time do not matter. The model must have full space.
  PathSystem(const System& system, StepModel& model, const State& from, StepReport& report);

  // <a, b> = a_x . b_x / motion^2 over the vertices with equations: loads do not count (cylindrical arc length;
  // Crisfield 1981). If a body meets an obstacle, the load may turn at once, but the motion goes on.
  double dot(const PathVector& a, const PathVector& b) const;
  double norm(const PathVector& a) const;
  double motion() const { return motion_; }
  void set_motion(double motion) { motion_ = motion; }

  // Linearises at a point, whose contacts are found. radius: contacts get their least stiffness within it [m]. Returns
  // false if the stiffness is singular or not finite.
  bool linearize(const PathPoint& point, double radius = 0);
  // ---- of the last linearisation
  // The change of positions with the load, dx/dt, with dt = 1.
  PathVector response() const;
  // Newton's direction for the equations and the constraint.
  PathVector direction(const PathPoint& point, const PathConstraint& constraint);
  // The simplified direction at a trial point, with the last matrix. Leaves E at the trial point.
  PathVector simplified(const PathPoint& trial, const PathConstraint& constraint);
  Index negative_pivots() const { return factor_.negative(); }
  // Residual and whether prescribed coordinates and obstacles are in place.
  const Points& gradient() const { return here_.g; }
  bool in_place() const { return here_.in_place; }

  // Sets the prescribed part of d to what leads to the load exactly, and returns the part of d that filters allow.
  double admissible(const PathPoint& from, double load, PathVector& d);
  // The point at a part of d, after admissible() of the same d.
  PathPoint along(const PathPoint& from, double load, const PathVector& d, double share);

  // E becomes that at the point.
  void stand_at(const PathPoint& point);
  IncrementalPotential& potential() { return potential_; }

 private:
  // The residual at a point, with the displacement of prescribed coordinates and obstacles to their places, and what
  // moving obstacles there adds to the residual.
  struct Residual {
    Points g, move, drift;
    bool in_place = true;
  };
  void prepare(const PathPoint& point, double load);
  void residual(const PathPoint& point, double load, Residual& result);
  void assemble(const Points& x);
  PathVector solve(const Points& rhs, const Points& move);
  PathVector bordered(PathVector a, const PathConstraint& constraint, double lack);
  double lack(const PathPoint& point, const PathConstraint& constraint) const;
  double part(const PathVector& d, const PathConstraint& constraint) const;

  const System& system_;
  StepModel& model_;
  IncrementalPotential& potential_;
  StepReport& report_;
  State state_;
  double motion_ = 1;
  SymBlockMatrix H_, constrained_;
  SignedFactor factor_;
  std::vector<char> fixed_;
  Residual here_, ahead_;
  PathVector response_;
  Points rhs_, response_rhs_, solution_;
};

}  // namespace sinew
