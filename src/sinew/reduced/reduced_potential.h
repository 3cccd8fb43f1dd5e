// The function that a step of a reduced or mixed method minimises (theory, section 6):
//
//   E_q(y) + elasticity(y, s)
//
// with the coordinates y of the subspace and, for a mixed method, the stretches s at the points. E_q(y) is the
// potential without elasticity (reduced_elasticity.h). Stretches and multipliers are condensed out: H = d2E_q/dy2 +
// sum_c dF^T K_c dF, where each K_c needs only data of its point.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"
#include "sinew/potential/potential.h"
#include "sinew/reduced/formulation.h"
#include "sinew/reduced/packed_coordinates.h"
#include "sinew/reduced/reduced_elasticity.h"
#include "sinew/reduced/reduced_model.h"

namespace sinew {

// The condensed system at a position q.
struct ReducedLinearization {
  MatX y, G;              // y of q; gradient of E_q by y
  MatX g;                 // gradient of E by the unknowns
  std::vector<double> K;  // stiffness of each slot (layout of ElasticPoints)
};

// Positions, directions and gradients are packed as packed_coordinates.h says.
class ReducedPotential final : public Potential {
 public:
  // The arguments must outlive this.
  ReducedPotential(const System& system, const ReducedModel& model, Formulation formulation);

  void set_formulation(Formulation formulation);
  bool is_mixed() const { return elasticity_.is_mixed(); }
  Kinematics& kinematics() const { return *model_.kinematics; }
  GradientSet& gradients() const { return *model_.gradients; }
  ReducedContact* own_contact() const { return model_.contact.get(); }  // null: nothing may touch
  const PackedCoordinates& packed() const { return packed_; }

  // Makes q from `bare`, which is q without stretches: s = S(F) if it is a position, else zero.
  void insert_stretches(const Points& bare, bool position, Points& q) const;
  // Makes q from its parts: s = S(F(y)) if y is a position, else zero.
  void pack(const MatX& y, bool position, const Eigen::Ref<const Points>& obstacles, Points& q) const;
  double norm(const Points& q) const { return packed_.y_of(q).norm(); }  // norm of y
  // Sets y to the coordinates that a direction d leads to from q.
  void target(const Points& q, const Points& d, MatX& y) const;

  // Begins a step with the contact stiffness [Pa]. `context` is packed like q and must outlive the step. The last
  // columns of its target are the obstacles' positions at the end of the step.
  void begin_step(const StepContext& context, double stiffness);
  const CoordinateStep& coordinate_step() const { return step_; }
  // As open_gaps() in full space (solver/gap_opening.h), along the contact forces projected to the coordinates.
  bool open_gaps(Points& q, const std::vector<PlaneState>& planes);

  const System& system() const override { return system_; }
  Index columns() const override { return packed_.unknown_columns(); }
  double step() const override { return step_.step; }
  bool has_inertia() const override { return step_.inertia; }
  double extent(const Points& q) const override;
  using Potential::contact;
  ContactModel& contact() override;
  void set_contacts(const Points& q, const std::vector<PlaneState>& planes) override;
  void follow_contacts(const Points& q, const std::vector<PlaneState>& planes) override { set_contacts(q, planes); }
  // The value of E. For a mixed method, the Lagrangian with the multipliers of the last direction.
  PotentialValue value(const Points& q) const override;
  void renew(const Points& q, PotentialValue& E) const override;
  double value_rounding(const Points& q, const PotentialValue& E) const override;
  void gradient(const Points& q, Points& g) const override;
  // The slope along the last direction at its origin. Elsewhere a mixed method returns minus infinity.
  double slope(const Points& g, const Points& d) const override;
  StepNorms norms(const Points& d) const override;
  StepNorms motion(const Points& q) const override;
  double max_step(const Points& q, const Points& d, const std::vector<PlaneState>& planes_step) override;
  StepLimit step_limit() const override { return step_limit_; }
  void begin_search(const Points&, const Points&, double) override {}
  bool retract(const Points& q, const Points& d, double alpha, const std::vector<PlaneState>& planes_trial,
               Points& trial) override;
  void direction_between(const Points& from, const Points& to, Points& d) const override;
  void took(const Points& q, const Points& d, double alpha) override;
  void go(const Points& q, const Points& d, Points& to) override;
  double distance(const Points& from, const Points& to) const override;
  bool start_anew(Points& q) override;
  DisplacementToTarget displacement_to_target(const Points& q, std::vector<PlaneState>& planes,
                                              Points& d) const override;
  const std::vector<PlaneState>& plane_targets() const override { return context_->plane_end; }
  void drift(const Points& q, const std::vector<PlaneState>& planes, const Points& d, Points& drift) override;
  void place_prescribed(Points& q) const override;
  using Potential::update_lagged;
  void update_lagged(const Points& q, double share) override;
  void predict_forces(const Points& q, const Points& d, const std::vector<PlaneState>& planes_end) override;
  bool lag_friction_ahead(const Points& q, double tolerance, PotentialValue& E) override;
  double friction_error(const Points&) override;
  double lagging_change(const Points& q) const override;
  bool contacts_soften(const Points&, double radius) const override;
  bool contacts_balance(const Points&, const Points&, std::span<const char>, double, double) const override {
    return true;
  }
  double residual(const Points& g, std::span<const char>) const override;
  bool forces_balance(const Points& q, const Points& g, std::span<const char>, double share) const override;

  // See ReducedElasticity.
  const double* deformation_gradients(const MatX& y) const { return elasticity_.deformation_gradients(y); }
  // The energy of the stretches in q [J].
  double stretch_energy(const Points& q) const { return model_.points->stretch_energy(packed_.stretches_of(q).data()); }

  // Computes the condensed system at q. After this call, the values of mixed and modal elasticity refer to q.
  void linearize(const Points& q, ReducedLinearization& at);
  // Sets H to the Hessian of a linearisation. curvature: include the curvature of positions. exact: use the derivative
  // of the elastic forces in place of a symmetric matrix.
  void assemble(const ReducedLinearization& at, bool curvature, bool exact, CoordinateHessian& H) const;
  // Sets H to the unprojected Hessian of E at q. Only for the standard formulation, with elasticity that has an energy.
  void assemble_unprojected(const Points& q, CoordinateHessian& H);
  // Completes a direction d from its unknowns: computes stretches and multipliers.
  void finish_direction(Points& d);
  // Sets g to the gradient at q moved by t times a direction d of the unknowns. Only for the standard formulation.
  void gradient_along(const Points& q, const MatX& d, double t, MatX& g);

 private:
  double free_part(const Points& q, const Points& d, double t, const std::vector<PlaneState>& planes);
  void move(const Points& q, const Points& d, double t) const;
  void load(const Points& q) const;

  const System& system_;
  const ReducedModel& model_;
  std::unique_ptr<ContactModel> no_contact_;  // used if nothing may touch
  const StepContext* context_ = nullptr;
  CoordinateStep step_;
  ReducedElasticity elasticity_;
  PackedCoordinates packed_;
  MatX start_;
  double mass_ = 0, rest_size_ = 0;
  StepLimit step_limit_ = StepLimit::none;
  bool moved_ = true;                        // whether q has moved since stretches were last recomputed
  mutable bool is_direction_fresh_ = false;  // whether slope() belongs to the last direction
  mutable MatX at_y_;                        // y of the last gradient, the origin of directions
  // Work space.
  mutable MatX y_, trial_y_, to_target_, unknowns_, G_, work_g_, work_forces_;
  Points shifted_q_, base_g_;
  std::vector<PlaneState> base_planes_;
};

}  // namespace sinew
