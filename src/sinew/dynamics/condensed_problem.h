// The minimisation problem of a condensed time step (theory, section 6). With the coordinates y, F_c(y) the deformation
// gradient at the point c, s_c its own stretch and l_c its multiplier, E_q(y) all of the potential but elasticity and
// scale = a h^2:
//   standard:  min over y of E_q(y) + scale sum_c w_c W(F_c(y))
//   mixed:     min over y, s of E_q(y) + scale sum_c w_c psi(s_c)  subject to  s_c = S(F_c(y)).
// Stretches and multipliers are condensed out: H = d2E_q/dy2 + sum_c dF^T K_c dF with K_c of the point alone.
#pragma once

#include <vector>

#include "sinew/dynamics/stepper.h"
#include "sinew/model/system.h"
#include "sinew/potential/friction_rounds.h"
#include "sinew/reduced/condensed_model.h"

namespace sinew {

// y and the stretches of the points (layout of ElasticPoints), or a direction of both.
struct CondensedPoint {
  MatX y;
  std::vector<double> s;
};

class CondensedProblem {
 public:
  // The arguments must outlive this.
  CondensedProblem(const System& system, const CondensedModel& model, Formulation formulation);

  void set_formulation(Formulation formulation) { formulation_ = formulation; }
  bool is_mixed() const { return formulation_ == Formulation::mixed; }
  PositionSpace& space() const { return *model_.space; }
  const SolverSetup& solver() const { return system_.setup.solver; }
  const SpaceStep& step() const { return *step_; }
  double diagonal() const { return system_.diagonal; }  // of the scene [m]
  double mass() const { return mass_; }                 // [kg]
  std::size_t stretch_count() const { return l_.size(); }
  // A bound of the coordinates of places at y [m], for their rounding.
  double extent(const MatX& y) const { return rest_size_ + model_.space->farthest(y); }

  // start: y at the start of the step. `step` must outlive the step.
  void begin_step(const SpaceStep& step, const MatX& start);

  // The largest distance of obstacles and of the prescribed part of y from their places at the end of the step [m].
  // From here place() counts.
  double aim(const MatX& y);
  // Linearises at (y, s) and computes by how much the gradient there changes to first order as obstacles and prescribed
  // coordinates go to their places, `left` [m] away. Without it bodies would give way to an obstacle only after it has
  // closed the gap.
  void linearize_with_drift(const MatX& y, const std::vector<double>& s, double left);
  const MatX& drift() const { return drift_; }  // of the last of these
  // Whether a gap has become so small that no room is left to come back from.
  bool is_jammed(const MatX& y) const;
  // trial: y + t d, with obstacles and prescribed coordinates a part t of the way.
  void place(const MatX& y, const MatX& d, double t, MatX& trial);

  // F at y, until the next call of any other member: 9 a slot.
  const double* deformation_gradients(const MatX& y);
  // s = S(F) at y.
  void stretches(const MatX& y, std::vector<double>& s);

  // The condensed system at (y, s), which the following belong to.
  void linearize(const MatX& y, const std::vector<double>& s);
  // Friction's error and its update (PositionSpace); the system has to be linearised anew after it.
  double friction_error(const MatX& y) { return model_.space->friction_error(y); }
  void lag_friction(const MatX& y);
  FrictionRounds friction_rounds() const { return sinew::friction_rounds(system_); }
  bool is_linearized() const { return linearized_; }
  void leave() { linearized_ = false; }  // to another (y, s)
  const MatX& gradient() const { return g_; }
  const MatX& elastic_gradient() const { return forces_; }  // its elastic part, where the space has no energy
  const std::vector<double>& stiffness() const { return K_; }
  // The elastic part of the merit function; of the mixed formulation by the multipliers of finish_direction().
  double elastic() const { return elastic_; }

  // From dy the rest of a direction, ds, and the multipliers l; returns their part of the slope of the merit function.
  // with_way: dy goes along with what is prescribed.
  double finish_direction(CondensedPoint& d, bool with_way);
  // E(y), or the Lagrangian at (y, s) with these multipliers.
  double merit(const CondensedPoint& at);
  // The gradient at another y of the standard formulation alone. The space keeps it for its own; return_to() sets it
  // back to where the system was linearised.
  void gradient_at(const MatX& y, MatX& g);
  void return_to(const MatX& y, MatX& work) { model_.space->gradient(y, work); }

 private:
  bool is_damped() const { return !rate_.empty() && step_->inertia; }
  double stiffness_damping(std::vector<double>* P, std::vector<double>* K);

  const System& system_;
  const CondensedModel& model_;
  Formulation formulation_;
  const SpaceStep* step_ = nullptr;
  double mass_ = 0, rest_size_ = 0;
  bool linearized_ = false;
  double elastic_ = 0;
  MatX g_, forces_;
  MatX way_, drift_;  // of the prescribed part of y to its places; zero elsewhere
  MatX shifted_y_, shifted_d_, shifted_g_;
  std::vector<double> F_, dF_, P_, K_;  // 9, 9, 9 and 45 a slot
  std::vector<double> l_;               // 6 a slot
  // Of stiffness damping; empty: there is none.
  std::vector<double> rate_, damping_;        // xi and xi K_t: 1 and 45 a slot
  std::vector<double> F_reference_, stress_;  // 9 a slot
};

}  // namespace sinew
