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
  // The arguments must outlive this. `step` must be the data of the current step.
  ReducedElasticity(const System& system, const ReducedModel& model, const CoordinateStep& step,
                    Formulation formulation);

  void set_formulation(Formulation formulation) { formulation_ = formulation; }
  bool is_mixed() const { return formulation_ == Formulation::mixed; }
  std::size_t stretch_count() const { return l_.size(); }  // numbers of all s_c, in the layout of ElasticPoints

  // Begins a step: fixes the stiffnesses that damp it, those at y = start.
  void begin_step(const MatX& start);

  // F at y, 9 entries for each slot. Valid until the next call of another member.
  const double* deformation_gradients(const MatX& y) const;
  // Sets s = S(F(y)).
  void stretches(const MatX& y, double* s) const;

  // The elastic part of the merit function; +infinity outside the domain. The forces f of modal cubature have no
  // energy. The value is then the work since the last linearisation by the trapezoidal rule, exact for a quadratic
  // energy, with d of set_way():
  //
  //   1/2 (f(y) + f(y + d)) . d.
  double value(const MatX& y, const double* s) const;
  // The value at the last linearisation, with the multipliers of the direction computed there.
  double renewed_value() const { return elastic_ + constraint_; }
  // Sets the difference, in unknowns, between the next trial point and the point of linearisation.
  void set_way(const MatX& d) { way_ = d; }

  // Sets f = sum_c (dF_c/dy)^T : P_c, P_c = scale w_c dW/dF, by the unknowns. Only for the standard formulation.
  void forces(const MatX& y, MatX& f) const;
  // g += gradient: f, or the gradient of the condensed system.
  void add_gradient(const MatX& y, const double* s, MatX& g) const;

  // Computes K_c of each slot, projected; for mixed stretches, K_c of the condensed system. After this call, the values
  // of mixed and modal elasticity refer to y. add_linearized_forces() adds the forces to a gradient.
  void linearize(const MatX& y, const double* s, std::vector<double>& K);
  void add_linearized_forces(MatX& g);
  // Computes K_c of each slot without projection. Only for the standard formulation.
  const std::vector<double>& unprojected_stiffness(const MatX& y);

  // Completes a direction: computes the change ds of the stretches and their multipliers from the unknowns d.
  void finish_direction(const MatX& d, double* ds);
  void finish_direction() { point_slope_ = constraint_ = 0; }  // call if there are no stretches
  // The part of the stretches in the slope of the merit function along that direction (SMFEM, section 4):
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
  std::vector<double> l_;  // 6 for each slot
  double elastic_ = 0;     // elastic value at the last linearisation
  double constraint_ = 0;  // part of the multipliers in that value
  double point_slope_ = 0;
  MatX forces_;  // forces at that linearisation, if they have no energy
  MatX way_;
  // Stiffness damping; empty: none.
  std::vector<double> rate_, damping_;  // xi and xi K_t: 1 and 45 entries for each slot
  std::vector<double> F_reference_;     // 9 for each slot
  // Work space.
  mutable std::vector<double> F_, dF_, P_, K_, stress_;
  mutable MatX F_at_;  // y at which F_ was computed; empty: none
  mutable MatX work_forces_;
};

}  // namespace sinew
