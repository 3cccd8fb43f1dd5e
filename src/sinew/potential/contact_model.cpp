#include "sinew/potential/contact_model.h"

#include <algorithm>

#include "sinew/model/automatic_scales.h"
#include "sinew/potential/barrier_contact.h"
#include "sinew/potential/penalty_contact.h"

namespace sinew {

// Barrier (IPC) or penalties (QN, section 4.3): the two kinds of contact, with the same friction over either.
std::unique_ptr<ContactModel> make_contact_model(const System& system) {
  if (system.setup.contact.model == ContactKind::penalty) return std::make_unique<PenaltyContact>(system);
  return std::make_unique<BarrierContact>(system);
}

// A barrier that finds nothing, so that callers need no special case.
std::unique_ptr<ContactModel> make_no_contact() {
  static const System nothing = [] {
    System system;
    system.setup.contact.enabled = false;
    return system;
  }();
  return std::make_unique<BarrierContact>(nothing);
}

ContactModel::ContactModel(const System& system)
    : system_(system),
      friction_(system.body_vertex_count()),
      friction_possible_(sinew::has_friction(system)),
      anew_(system.body_vertex_count()) {}

// Pairs of materials may gain or lose friction while a simulation is live.
void ContactModel::adapt(Change change) {
  if (change == Change::friction) friction_possible_ = sinew::has_friction(system_);
}

// Contacts at the start, and friction lagged there (IPC, section 5). Slip counts from x^, and contacts stick below
// eps = eps_v h^ (theory, section 3).
void ContactModel::begin_step(const StepContext& context, double stiffness) {
  context_ = &context;
  if (!system_.ties.empty()) set_glue(context.held);
  set_stiffness(stiffness);
  set_reach(1);
  find(context.start, context.plane_start);
  if (!friction_possible_) return;
  set_reference(friction_);
  friction_.clear();
  lag(context.start);
}

// Active contacts at x (contact/candidates.h).
void ContactModel::find(const Points& x, const std::vector<PlaneState>& planes) {
  planes_ = planes;
  search(x);
}

std::vector<ContactForce> ContactModel::forces(const Points& x) const {
  std::vector<ContactForce> forces;
  append_forces(x, forces);
  if (has_friction()) friction_.append_forces(x, forces);
  return forces;
}

// Contacts at a trial of the line search. Penalties hold theirs and move the planes alone, since another nearest
// triangle would make E jump.
void ContactModel::follow(const Points& x, const std::vector<PlaneState>& planes) {
  if (!held_in_search()) return find(x, planes);
  planes_ = planes;
  set_planes(planes_);
}

void ContactModel::set_reference(FrictionEnergy& friction) const {
  friction.set_reference(context_->slip_reference(), system_.setup.contact.slip_speed * context_->slip_step());
}

// Fixes lambda_k = -dB/dd_k and the tangent basis T_k of all contacts with friction at x (IPC, section 5).
void ContactModel::lag(const Points& x, double share) {
  if (!friction_possible_) return;
  lag_anew(x, nullptr);
  friction_.adopt(anew_, share);
}

// Normal forces at the end of the direction d (potential/predicted_forces.h).
void ContactModel::predict_forces(const Points& x, const Points& d, const std::vector<PlaneState>& planes_end) {
  if (friction_possible_) predict(x, d, planes_end, predicted_);
}

// Friction follows the normal forces that the last direction predicts (theory, section 3, "Following"), if the lagged
// ones are off by more than the tolerance.
bool ContactModel::lag_ahead(const Points& x, double tolerance) {
  if (!friction_possible_) return false;
  lag_anew(x, &predicted_);
  if (error_of_lagged(x) <= tolerance) return false;
  friction_.adopt(anew_);
  return true;
}

// anew_ is friction as it would be lagged at x; friction_ stays what the minimisation has.
void ContactModel::lag_anew(const Points& x, const PredictedForces* predicted) {
  set_reference(anew_);
  lag_friction(x, predicted, anew_);
  anew_.set_plane_motion(context_->plane_reference, context_->plane_end);
}

// How far friction is from Coulomb's law at x: lagged forces beside those of x.
double ContactModel::friction_error(const Points& x) {
  if (!friction_possible_) return 0;
  lag_anew(x, nullptr);
  return error_of_lagged(x);
}

// Of friction_ beside anew_.
double ContactModel::error_of_lagged(const Points& x) {
  return coulomb_.largest(friction_, anew_, x, system_.vertex_body,
                          coulomb_.least(system_, context_->inertia, context_->step, context_->contact_scale()));
}

// The primal-dual unknowns of friction after a step alpha d.
void ContactModel::took(const Points& x, const Points& d, double alpha) {
  if (friction_possible_) friction_.took(x, d, alpha);
}

// The gradient of contact and friction with planes at other places; the planes of the search come back after it.
void ContactModel::add_gradient(const Points& x, const std::vector<PlaneState>& planes, double scale, Points& g) {
  set_planes(planes);
  normal().add_gradient(x, scale, g);
  set_planes(planes_);
  if (friction_possible_) friction_.add_gradient(x, scale, g);
}

void ContactModel::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  normal().collect_pairs(pairs);
  if (friction_possible_) friction_.collect_pairs(pairs);
}

// The Hessian of contacts in series with springs of the given stiffness at their vertices (theory, section 5): over
// the pattern of the present contacts alone.
void ContactModel::softened_hessian(const Points& x, double scale, Projection projection,
                                    std::span<const double> stiffness, SymBlockMatrix& H) {
  pairs_.clear();
  collect_pairs(pairs_);
  H.set_pattern(make_pattern(system_.body_vertex_count(), pairs_));
  unused_gradient_.setZero(3, system_.body_vertex_count());
  add_softened(x, scale, projection, stiffness, unused_gradient_, H);
  if (friction_possible_) friction_.add_softened(x, scale, projection, stiffness, unused_gradient_, H);
}

// Radius within which the least stiffness of contacts counts: the stop test asks for the softest direction
// (solver/stop_test.h).
void ContactModel::set_radius(double radius) {
  radius_ = radius;
  set_normal_radius(radius);
  friction_.set_radius(radius);
}

// Normal or tangential stiffness that falls to half within the radius.
bool ContactModel::softens(const Points& x, double radius, std::span<const double> mass, double scale) const {
  return normal_softens(x, radius, mass, scale) || (friction_possible_ && friction_.softens(x, radius, mass, scale));
}

}  // namespace sinew
