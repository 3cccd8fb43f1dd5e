#include "sinew/reduced/reduced_potential.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/timer.h"
#include "sinew/model/automatic_scales.h"
#include "sinew/solver/gap_opening.h"

namespace sinew {
namespace {

constexpr double rounding_of_sums = 1e-14;  // of a value, relative to the sizes of its terms
constexpr double hidden = 1e3;              // times that: terms of opposite signs may have cancelled
constexpr double shortest_step = 1e-10;     // that the filter looks for on a curved set of positions

}  // namespace

// The potential of a step in the coordinates y of a subspace, as minimiser and line search see it
// (potential/potential.h):
//
//   E(y) = E_q(y) + a h^2 sum_c w_c W(F_c(y)) + a h^2 (B + D)(x(y))                     `reduced`,
//   L(y, s, l) = E_q(y) + a h^2 sum_c w_c (psi(s_c) + l_c : (S(F_c(y)) - s_c)) + ...    `mixed` (SMFEM, equations 1 to
//   4).
//
// q packs all unknown positions as columns of three numbers: y, the stretches s of `mixed`, and the obstacles'
// vertices. d has the unknowns of y, the steps of s, the displacement to the targets of what is prescribed, and that
// of the obstacles. No array has the size of the mesh.
ReducedPotential::ReducedPotential(const System& system, const ReducedModel& model, Formulation formulation)
    : system_(system), model_(model), elasticity_(system, model, step_, formulation) {
  const Kinematics& space = *model.kinematics;
  rest_size_ = system.rest.leftCols(system.dynamic_count).cwiseAbs().maxCoeff();
  for (const double m : system.mass) mass_ += m;
  for (MatX* m : {&start_, &y_, &at_y_, &trial_y_, &to_target_}) m->setZero(space.rows(), space.columns());
  for (MatX* m : {&unknowns_, &work_g_, &work_forces_}) m->setZero(space.unknown_rows(), space.unknown_columns());
  if (!own_contact()) no_contact_ = make_no_contact();
  set_formulation(formulation);
}

// Columns for s exist in `mixed` alone.
void ReducedPotential::set_formulation(Formulation formulation) {
  elasticity_.set_formulation(formulation);
  packed_ = PackedCoordinates(kinematics(), is_mixed() ? elasticity_.stretch_count() : 0,
                              own_contact() ? own_contact()->obstacle_vertices() : 0);
}

// y_ is that of q.
void ReducedPotential::load(const Points& q) const {
  y_ = packed_.y_of(q);
}

void ReducedPotential::insert_stretches(const Points& bare, bool position, Points& q) const {
  pack(packed_.y_of(bare), position, packed_.obstacles(bare), q);
}

// New positions start with s = S(F(y)), where the constraint holds.
void ReducedPotential::pack(const MatX& y, bool position, const Eigen::Ref<const Points>& obstacles, Points& q) const {
  q.setZero(3, packed_.position_columns());
  packed_.put(y, q);
  if (is_mixed() && position) elasticity_.stretches(y, packed_.stretches_in(q));
  if (obstacles.cols() > 0) packed_.obstacles(q) = obstacles;
}

// Where the full step d leads: kinematics with frames are curved, so that this is not y + d.
void ReducedPotential::target(const Points& q, const Points& d, MatX& y) const {
  load(q);
  packed_.read_unknowns(d, unknowns_);
  kinematics().move(y_, unknowns_, 1, y);
}

// Start of a step:
//
// 1. predictor y~, reference y^ and the scalars of the integrator, by coordinates.
// 2. energies, contact and lagged friction at the start.
// 3. what damps elasticity.
void ReducedPotential::begin_step(const StepContext& context, double stiffness) {
  // Step 1.
  context_ = &context;
  static_cast<StepScalars&>(step_) = context;
  step_.reference = packed_.y_of(context.reference);
  step_.predictor = context.inertia ? packed_.y_of(context.predictor) : packed_.y_of(context.start);
  if (context.own_slip_reference.cols() > 0)
    step_.own_slip_reference = packed_.y_of(context.own_slip_reference);
  else
    step_.own_slip_reference.resize(0, 0);
  const auto spin_of = [&](const Points& columns, MatX& y) {
    if (columns.cols() > 0)
      y = packed_.y_of(columns);
    else
      y.resize(0, 0);
  };
  spin_of(context.spin_across, step_.spin_across);
  spin_of(context.spin_along, step_.spin_along);
  start_ = packed_.y_of(context.start);
  moved_ = true;
  at_y_ = start_;
  // Step 2.
  model_.move_fibers(system_, context.time_end);
  model_.begin_step(step_, start_);
  if (own_contact()) {
    ScopedTimer timer(collision_seconds);
    own_contact()->begin_step(step_, start_, context, stiffness);
  } else {
    no_contact_->set_stiffness(stiffness);
  }
  // Step 3.
  elasticity_.begin_step(start_);
}

// As in full space (solver/gap_opening.h), along the coordinates' share of the contact forces: a gap of rounding size
// makes the barrier's Hessian useless.
bool ReducedPotential::open_gaps(Points& q, const std::vector<PlaneState>& planes) {
  if (!own_contact()) return false;
  const double dhat = system_.contact_distance;
  bool moved = false;
  Points normal, friction, d, trial;
  for (int round = 0; round < most_gap_openings && contact().min_distance() < closed_gap * dhat; ++round) {
    normal = friction = Points::Zero(3, system_.dynamic_count);
    own_contact()->add_full_gradient(-1, normal, friction);
    load(q);
    const MatX forces = kinematics().restrict_to(y_, normal);
    unknowns_.setZero(work_g_.rows(), work_g_.cols());
    unknowns_.topRows(forces.rows()) = forces;  // the others are prescribed
    const double size = kinematics().displacement(at_y_, unknowns_).largest;
    if (!(size > 0) || !std::isfinite(size)) break;
    unknowns_ *= opened_gap * dhat / size;
    direction_between(q, q, d);
    packed_.write_unknowns(unknowns_, d);
    const double alpha = max_step(q, d, planes);
    if (!(alpha > 0) || !retract(q, d, alpha, planes, trial)) break;
    q.swap(trial);
    set_contacts(q, planes);
    moved = true;
  }
  return moved;
}

// Size of the numbers that positions are: the unit of their rounding.
double ReducedPotential::extent(const Points& q) const {
  load(q);
  return rest_size_ + kinematics().farthest(y_);
}

ContactModel& ReducedPotential::contact() {
  return own_contact() ? own_contact()->model() : *no_contact_;
}

// Active contacts at q: search over the samples, from candidates that are kept as long as they hold.
void ReducedPotential::set_contacts(const Points& q, const std::vector<PlaneState>& planes) {
  if (!own_contact()) return;
  ScopedTimer timer(collision_seconds);
  load(q);
  own_contact()->find(y_, packed_.obstacles(q), planes);
}

PotentialValue ReducedPotential::value(const Points& q) const {
  load(q);
  PotentialValue E;
  E[EnergyKind::other] = model_.value(y_);
  E[EnergyKind::elastic] = elasticity_.value(y_, packed_.stretches_of(q).data());
  if (!own_contact()) return E;
  E[EnergyKind::barrier] = step_.scale * own_contact()->normal_energy();
  E[EnergyKind::friction] = step_.scale * own_contact()->friction_energy();
  return E;
}

void ReducedPotential::renew(const Points&, PotentialValue& E) const {
  if (is_mixed() || !gradients().has_energy()) E[EnergyKind::elastic] = elasticity_.renewed_value();
}

// Bound on the rounding of E: of sums, and of positions. With d = x - x~ of size X, 1/2 m d^2 changes by m d eps X,
// and
//
//   sum_i m_i d_i eps X <= eps X sqrt(m) sqrt(2 E_q)          (Cauchy and Schwarz).
//
// Terms of opposite signs may cancel and hide a thousand times as much; where the slope can decide instead, the bound
// says so. The slope of a mixed method at a trial is unknown.
double ReducedPotential::value_rounding(const Points& q, const PotentialValue& E) const {
  const double coordinates = std::abs(E[EnergyKind::other]);
  const double floor = rounding_of_sums * E.magnitude() +
                       2 * std::numeric_limits<double>::epsilon() * extent(q) * std::sqrt(2 * mass_ * coordinates);
  return is_mixed() ? floor : hidden * floor;
}

// g = dE/dy at q. Of `mixed` it is the gradient of the condensed problem, which the next direction starts from.
void ReducedPotential::gradient(const Points& q, Points& g) const {
  is_direction_fresh_ = false;
  load(q);
  g.setZero(3, packed_.unknown_columns());
  at_y_ = y_;
  model_.gradient(y_, G_, work_g_);
  elasticity_.add_gradient(y_, packed_.stretches_of(q).data(), work_g_);
  packed_.write_unknowns(work_g_, g);
}

// g . d, with what the steps of the stretches add for `mixed`.
double ReducedPotential::slope(const Points& g, const Points& d) const {
  const double unknowns =
      Eigen::Map<const VecX>(g.data(), work_g_.size()).dot(Eigen::Map<const VecX>(d.data(), work_g_.size()));
  if (!is_mixed()) return unknowns;
  return is_direction_fresh_ ? unknowns + elasticity_.stretch_slope() : -std::numeric_limits<double>::infinity();
}

// The mean over a body would hide a contact that still slides or settles, so contacts are measured by the maximum.
StepNorms ReducedPotential::norms(const Points& d) const {
  packed_.read_unknowns(d, unknowns_);
  const Displacement moved = kinematics().displacement(at_y_, unknowns_);
  const bool touches = own_contact() && !own_contact()->model().contacts().empty();
  return {moved.largest / step_.step, (touches ? moved.largest : moved.mean) / step_.step};
}

// Speeds since the start of the step, measured as in norms().
StepNorms ReducedPotential::motion(const Points& q) const {
  load(q);
  const Displacement moved = kinematics().distance(start_, y_);
  const bool touches = own_contact() && !own_contact()->model().contacts().empty();
  return {moved.largest / step_.step, (touches ? moved.largest : moved.mean) / step_.step};
}

// Largest t in (0, 1] without a touch along the straight way from q to where t d leads. Positions with frames are
// curved: the ways of two t are then not parts of each other, so that every t that is tried is looked at again.
double ReducedPotential::max_step(const Points& q, const Points& d, const std::vector<PlaneState>& planes_step) {
  step_limit_ = StepLimit::none;
  if (!own_contact()) return 1;
  base_planes_ = own_contact()->model().planes();
  double t = 1;
  for (; t > shortest_step; t *= 0.9) {
    const double part = free_part(q, d, t, interpolate_all(base_planes_, planes_step, t));
    if (part == 1) break;
    step_limit_ = StepLimit::contact;
    t *= part;
    if (!kinematics().is_curved()) break;
  }
  return t > shortest_step ? t : 0;
}

// The free part of the way to where t d leads.
double ReducedPotential::free_part(const Points& q, const Points& d, double t, const std::vector<PlaneState>& planes) {
  ScopedTimer timer(collision_seconds);
  move(q, d, t);
  load(q);
  return own_contact()->max_step(y_, trial_y_, packed_.obstacles(q), t * packed_.obstacles(d), base_planes_, planes);
}

// trial_y_ is where t d leads, what is prescribed a part t of its displacement.
void ReducedPotential::move(const Points& q, const Points& d, double t) const {
  load(q);
  packed_.read_unknowns(d, unknowns_);
  kinematics().move(y_, unknowns_, t, trial_y_);
  if (packed_.has_target_part(d)) trial_y_ += t * packed_.target_part(d);
}

// The trial point of a step alpha d: y moved by the kinematics, s + alpha ds, obstacles a part alpha of their motion.
bool ReducedPotential::retract(const Points& q, const Points& d, double alpha,
                               const std::vector<PlaneState>& planes_trial, Points& trial) {
  if (own_contact() && kinematics().is_curved() && free_part(q, d, alpha, planes_trial) < 1) return false;
  move(q, d, alpha);
  trial.resize(3, q.cols());
  std::copy_n(trial_y_.data(), trial_y_.size(), trial.data());
  for (Index i = trial_y_.size(); i < 3 * packed_.stretch_begin(); ++i) trial.data()[i] = 0;
  const Index s = packed_.stretch_columns(), begin = packed_.stretch_begin(), o = packed_.obstacle_columns();
  trial.middleCols(begin, s) = q.middleCols(begin, s) + alpha * d.middleCols(packed_.unknown_columns(), s);
  trial.rightCols(o) = q.rightCols(o) + alpha * d.rightCols(o);
  if (!gradients().has_energy()) {
    packed_.read_unknowns(d, unknowns_);
    unknowns_ *= alpha;
    elasticity_.set_way(unknowns_);
  }
  return true;
}

// The direction from one position to another, for the filter's sake alone: its unknowns stay zero.
void ReducedPotential::direction_between(const Points& from, const Points& to, Points& d) const {
  d.setZero(3, packed_.direction_columns());
  const Index s = packed_.stretch_columns(), begin = packed_.stretch_begin(), o = packed_.obstacle_columns();
  d.middleCols(packed_.unknown_columns(), s) = to.middleCols(begin, s) - from.middleCols(begin, s);
  d.middleCols(packed_.target_begin(), begin) = to.leftCols(begin) - from.leftCols(begin);
  d.rightCols(o) = to.rightCols(o) - from.rightCols(o);
}

// Friction's primal-dual unknowns go along with the step taken.
void ReducedPotential::took(const Points& q, const Points& d, double alpha) {
  moved_ = true;
  if (!own_contact()) return;
  move(q, d, alpha);
  load(q);
  own_contact()->took(y_, trial_y_, packed_.obstacles(q), alpha * packed_.obstacles(d));
}

// The full step; s follows with S(F(y)), since no direction of s belongs to a move that is no direction.
void ReducedPotential::go(const Points& q, const Points& d, Points& to) {
  move(q, d, 1);
  pack(MatX(trial_y_), true, packed_.obstacles(q), to);
}

double ReducedPotential::distance(const Points& from, const Points& to) const {
  return kinematics().distance(packed_.y_of(from), packed_.y_of(to)).largest;
}

// The merit function may fall along no direction if s is far from S(F), as after points have turned over. s <- S(F)
// makes the constraint hold, once in a row.
bool ReducedPotential::start_anew(Points& q) {
  if (!is_mixed() || !moved_) return false;
  moved_ = false;
  load(q);
  elasticity_.stretches(y_, packed_.stretches_in(q));
  return true;
}

// Displacement to the targets of what is prescribed: rows of y, obstacles, planes.
DisplacementToTarget ReducedPotential::displacement_to_target(const Points& q, std::vector<PlaneState>& planes,
                                                              Points& d) const {
  DisplacementToTarget displacement;
  d.setZero(3, packed_.direction_columns());
  load(q);
  to_target_ = y_;
  kinematics().prescribe(step_.time_end, to_target_);
  to_target_ -= y_;
  if (to_target_.size() > 0) displacement.remaining = to_target_.cwiseAbs().maxCoeff();
  std::copy_n(to_target_.data(), to_target_.size(), d.data() + 3 * packed_.target_begin());
  displacement.of_obstacles = displacement.remaining > 0;  // elasticity too changes along with it
  if (packed_.obstacle_columns() > 0) {
    packed_.obstacles(d) = packed_.obstacles(context_->target) - packed_.obstacles(q);
    const double remaining = std::sqrt(packed_.obstacles(d).colwise().squaredNorm().maxCoeff());
    displacement.remaining = std::max(displacement.remaining, remaining);
    displacement.of_obstacles |= remaining > 0;
  }
  displacement.of_planes = planes_have_to_move(planes, context_->plane_end);
  return displacement;
}

// How forces change while what is prescribed moves by d_p, by a difference quotient,
//
//   drift = (g(q + e d_p) - g(q)) / e.
//
// Without it bodies would give way to an obstacle only after it has closed the gap. The barrier is smooth on the
// scale of the gap, so that e |d_p| = 2^-16 gap; e is a power of two, by which multiplying is exact.
void ReducedPotential::drift(const Points& q, const std::vector<PlaneState>& planes, const Points& d, Points& drift) {
  double motion = d.cwiseAbs().maxCoeff();
  for (std::size_t p = 0; p < planes.size(); ++p)
    motion = std::max({motion, (context_->plane_end[p].point - planes[p].point).norm(),
                       (context_->plane_end[p].normal - planes[p].normal).norm() * system_.diagonal});
  const double reach = system_.contact_distance;
  const double gap = std::min(contact().min_distance(), reach > 0 ? reach : system_.diagonal);
  const double e = std::ldexp(1.0, std::min(0, std::ilogb(gap / motion)) - 16);
  shifted_q_ = q;
  to_target_ = packed_.target_part(d);
  for (Index i = 0; i < to_target_.size(); ++i) shifted_q_.data()[i] += e * to_target_.data()[i];
  packed_.obstacles(shifted_q_) += e * packed_.obstacles(d);
  set_contacts(shifted_q_, interpolate_all(planes, context_->plane_end, e));
  gradient(shifted_q_, drift);
  set_contacts(q, planes);
  gradient(q, base_g_);
  drift = (drift - base_g_) / e;
}

// Exactly on the targets: sums of steps would leave rounding.
void ReducedPotential::place_prescribed(Points& q) const {
  load(q);
  kinematics().prescribe(step_.time_end, y_);
  std::copy_n(y_.data(), y_.size(), q.data());
  if (packed_.obstacle_columns() > 0) packed_.obstacles(q) = packed_.obstacles(context_->target);
}

// Friction with the normal forces at q, and what other energies lag (pressure on open patches).
void ReducedPotential::update_lagged(const Points& q, double share) {
  if (own_contact()) own_contact()->lag_friction(share);
  load(q);
  for (const auto& energy : model_.energies) energy->lag(y_);
}

// Normal forces at the end of the direction, for friction that follows.
void ReducedPotential::predict_forces(const Points& q, const Points& d, const std::vector<PlaneState>& planes_end) {
  if (!own_contact()) return;
  move(q, d, 1);
  own_contact()->predict_forces(trial_y_, packed_.obstacles(d), planes_end);
}

bool ReducedPotential::lag_friction_ahead(const Points&, double tolerance, PotentialValue& E) {
  if (!own_contact() || !own_contact()->lag_ahead(tolerance)) return false;
  E[EnergyKind::friction] = step_.scale * own_contact()->friction_energy();
  return true;
}

// Coulomb's law over the samples (theory, section 3, "Rounds").
double ReducedPotential::friction_error(const Points&) {
  return own_contact() ? own_contact()->friction_error() : 0;
}

// Change of what energies have lagged since the start of the step, relative to its size.
double ReducedPotential::lagging_change(const Points& q) const {
  load(q);
  LaggingChange sum;
  for (const auto& energy : model_.energies) {
    const LaggingChange one = energy->lagging_change(y_);
    sum.change += one.change;
    sum.size += one.size;
  }
  return sum.size > 0 ? sum.change / sum.size : 0;
}

// See ReducedContact::softens().
bool ReducedPotential::contacts_soften(const Points&, double radius) const {
  return own_contact() && own_contact()->softens(radius);
}

// |g| in the metric of M^{-1}, the accelerations that g would cause: coordinates have units of their own, whose
// forces cannot be compared.
double ReducedPotential::residual(const Points& g, std::span<const char>) const {
  packed_.read_unknowns(g, unknowns_);
  return std::sqrt(kinematics().inverse_mass_square(at_y_, unknowns_));
}

// Statics: |g| is below `share` of the elastic forces, which in balance are as large as all others.
bool ReducedPotential::forces_balance(const Points& q, const Points& g, std::span<const char>, double share) const {
  load(q);
  elasticity_.forces(y_, work_forces_);
  const double elastic = std::sqrt(kinematics().inverse_mass_square(at_y_, work_forces_));
  return residual(g, {}) <= share * elastic;
}

// g = grad E_q + sum_c (dF_c/dy)^T : P_c, and K_c at the points.
void ReducedPotential::linearize(const Points& q, ReducedLinearization& at) {
  load(q);
  at_y_ = at.y = y_;
  elasticity_.linearize(y_, packed_.stretches_of(q).data(), at.K);
  model_.gradient(y_, at.G, at.g);
  elasticity_.add_linearized_forces(at.g);
}

// H = d2E_q/dy2 + sum_c (dF_c/dy)^T K_c (dF_c/dy)                 (SMFEM, equation 6; theory, section 6).
void ReducedPotential::assemble(const ReducedLinearization& at, bool curvature, bool exact,
                                CoordinateHessian& H) const {
  model_.begin_hessian(at.y, curvature ? &at.G : nullptr, Projection::psd, H);
  if (exact)
    gradients().add_jacobian(at.K, H);
  else
    gradients().add_stiffness(at.K, H);
}

// The Hessian of E without projection. With stretches that follow, s = S(F), E of `mixed` is that of the standard
// formulation; its Hessian has the term l : d2S/dy2 that the condensed matrix leaves out.
void ReducedPotential::assemble_unprojected(const Points& q, CoordinateHessian& H) {
  load(q);
  const std::vector<double>& K = elasticity_.unprojected_stiffness(y_);
  model_.gradient(y_, G_, work_g_);
  model_.begin_hessian(y_, &G_, Projection::none, H);
  gradients().add_stiffness(K, H);
}

// Stretches follow the unknowns.
void ReducedPotential::finish_direction(Points& d) {
  is_direction_fresh_ = true;
  if (!is_mixed()) return elasticity_.finish_direction();
  packed_.read_unknowns(d, unknowns_);
  // Dense modes have no place for the way among their unknowns: stretches then follow in the next iteration.
  if (packed_.has_target_part(d) && y_.rows() == unknowns_.rows() && y_.cols() == unknowns_.cols())
    unknowns_ += packed_.target_part(d);
  elasticity_.finish_direction(unknowns_, packed_.stretches_of_direction(d));
}

// g(y + t d), for products J p by differences (EP, appendix C).
void ReducedPotential::gradient_along(const Points& q, const MatX& d, double t, MatX& g) {
  load(q);
  kinematics().move(y_, d, t, trial_y_);
  const std::vector<PlaneState> planes = contact().planes();
  if (own_contact()) own_contact()->find(trial_y_, packed_.obstacles(q), planes);
  elasticity_.forces(trial_y_, work_forces_);
  model_.gradient(trial_y_, G_, g);
  g += work_forces_;
  set_contacts(q, planes);
}

}  // namespace sinew
