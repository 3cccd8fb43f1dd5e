// Elasticity of a reduced or mixed method as a term of the step's merit function (theory, section 6): a sum over the
// points c of the cubature, with stiffness damping. For coordinates y and scale = a h^2 it is
//
//   standard:  scale sum_c w_c W(F_c(y)),
//   mixed:     scale sum_c w_c (psi(s_c) + l_c : (S(F_c(y)) - s_c)).
//
// F_c is the deformation gradient, s_c the stretch and l_c the multiplier at a point.
#pragma once

#include <vector>

#include "sinew/potential/coordinate_energy.h"
#include "sinew/reduced/formulation.h"
#include "sinew/reduced/reduced_model.h"

namespace sinew {

class ReducedElasticity {
 public:
  // The arguments must outlive this; `step` is that of the step at hand.
  ReducedElasticity(const System& system, const ReducedModel& model, const CoordinateStep& step,
                    Formulation formulation);

  void set_formulation(Formulation formulation) { formulation_ = formulation; }
  bool is_mixed() const { return formulation_ == Formulation::mixed; }
  std::size_t stretch_count() const { return l_.size(); }  // numbers of all s_c, in the layout of ElasticPoints

  // The stiffnesses that damp the step: those at its start.
  void begin_step(const MatX& start);

  // F at y, until the next call of any other member: 9 a slot.
  const double* deformation_gradients(const MatX& y) const;
  // s = S(F(y)).
  void stretches(const MatX& y, double* s) const;

  // The merit function; +infinity outside the domain. Forces f of modal cubature have no energy. Their value is the
  // work since the last linearisation by the trapezoidal rule, exact for a quadratic energy, with d of set_way():
  //
  //   1/2 (f(y) + f(y + d)) . d.
  double value(const MatX& y, const double* s) const;
  // The value at the last linearisation, with the multipliers of the direction found there.
  double renewed_value() const { return elastic_ + constraint_; }
  // The difference of the next trial from the point of linearisation, in unknowns.
  void set_way(const MatX& d) { way_ = d; }

  // f = sum_c (dF_c/dy)^T : P_c, P_c = scale w_c dW/dF, by the unknowns, of the standard formulation.
  void forces(const MatX& y, MatX& f) const;
  // g += the gradient: f, or that of the condensed system.
  void add_gradient(const MatX& y, const double* s, MatX& g) const;

  // K_c of each slot, projected; for mixed stretches, that of the condensed system. From this call on, the values of
  // mixed and modal elasticity refer to y. add_linearized_forces() adds the forces to a gradient.
  void linearize(const MatX& y, const double* s, std::vector<double>& K);
  void add_linearized_forces(MatX& g);
  // K_c without projection, of the standard formulation.
  const std::vector<double>& unprojected_stiffness(const MatX& y);

  // The direction's back substitution: ds of the stretches and their multipliers from the unknowns d.
  void finish_direction(const MatX& d, double* ds);
  void finish_direction() { point_slope_ = constraint_ = 0; }  // if there are no stretches
  // The contribution of the stretches to the slope of the merit function along that direction (SMFEM, section 4):
  //
  //   scale sum_c w_c (dS : psi'' : dS - ds : psi'' : ds),   dS = dS/dF : dF.
  double stretch_slope() const { return point_slope_; }

 private:
  bool is_damped() const { return !rate_.empty() && step_.inertia; }
  void find_gradients(const MatX& y) const;
  double damping(std::vector<double>* P, std::vector<double>* K) const;

  const ReducedModel& model_;
  const CoordinateStep& step_;
  Formulation formulation_;
  std::vector<double> l_;  // 6 a slot
  double elastic_ = 0;     // the value where it was linearised last
  double constraint_ = 0;  // the part of the multipliers
  double point_slope_ = 0;
  MatX forces_;  // there, where they have no energy
  MatX way_;
  // For stiffness damping; empty: none.
  std::vector<double> rate_, damping_;  // xi and xi K_t: 1 and 45 a slot
  std::vector<double> F_reference_;     // 9 a slot
  // Work space.
  mutable std::vector<double> F_, dF_, P_, K_, stress_;
  mutable MatX F_at_;  // y of F_; empty: none
  mutable MatX work_forces_;
};

}  // namespace sinew
