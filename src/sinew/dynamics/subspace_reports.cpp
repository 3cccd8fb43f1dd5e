// Reports of a method in a subspace that take the whole mesh. Steps need none of them.
#include <algorithm>
#include <span>
#include <utility>

#include "sinew/contact/kinematics.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/full_space_error.h"
#include "sinew/dynamics/full_space_gradient.h"
#include "sinew/dynamics/subspace_model.h"
#include "sinew/dynamics/subspace_reactions.h"
#include "sinew/model/muscle.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

// The basis and the cubature stay those of the start, made for its stiffnesses; released vertices are followed by the
// next step (follow_releases).
void SubspaceModel::adapt(Change change) {
  model_.adapt(*system_, change, context_.time_end);
  if (full_space_gradient_) full_space_gradient_->adapt(change);
  // As Stepper::adapt(): the estimator's basis depends on the stiffness.
  if (change == Change::materials || change == Change::fibers) {
    levels_ = std::make_shared<Shared<EstimatorLevels>>();
    full_space_error_.reset();
  }
  if (full_space_error_) full_space_error_->adapt(change);
}

// Elastic forces by all tets, contact forces at the samples of the surfaces.
NodalForces SubspaceModel::forces(const State& state, const std::vector<TermForce>& terms) {
  NodalForces forces;
  forces.contact = forces.friction = Points::Zero(3, system_->body_vertex_count());
  const auto elastic = std::ranges::find(terms, "elastic", &TermForce::term);
  if (elastic != terms.end() && system_->skins.empty()) {
    forces.elastic = elastic->force;
  } else {
    Points x;
    lift_positions(state.x, state.time, x);
    forces.elastic = Points::Zero(3, system_->dynamic_count);
    elastic_at(state).add_gradient(x, -1, forces.elastic);
  }
  if (model_.contact) model_.contact->add_full_gradient(-1, forces.contact, forces.friction);
  return forces;
}

std::vector<ContactForce> SubspaceModel::contact_forces(const State&) {
  return model_.contact ? model_.contact->forces() : std::vector<ContactForce>();
}

std::vector<ContactRow> SubspaceModel::contact_rows(const State&) {
  return model_.contact ? model_.contact->rows() : std::vector<ContactRow>();
}

std::vector<TermForce> SubspaceModel::term_forces(const State& state) {
  return full_space_gradient().forces(step_to(end_at(state.x)));
}

double SubspaceModel::contact_area(Index vertex) const {
  return model_.contact ? model_.contact->area(vertex) : 0;
}

// What the forces of all terms leave to balance; contact counts once.
Points SubspaceModel::reactions(const State& state, const std::vector<TermForce>& terms) {
  const Index n = system_->dynamic_count;
  Points x;
  lift_positions(state.x, context_.time_end, x);
  Points contact = contact_force(state.x);
  if (contact.cols() == 0) contact.setZero(3, n);
  Points residual = Points::Zero(3, n);
  for (const TermForce& term : terms) residual -= term.force;
  std::vector<char> fixed(3 * static_cast<std::size_t>(n), 0);
  for (const PrescribedVertex& prescribed : system_->prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k] && prescribed.holds_at(context_.time_end))
        fixed[3 * static_cast<std::size_t>(prescribed.vertex) + k] = 1;
  Points reaction = subspace_reactions(*system_, x, residual, fixed);
  // Contact counts once in reactions; the forces that balance at free vertices have its weight in E.
  for (std::size_t c = 0; c < fixed.size(); ++c)
    if (fixed[c]) reaction.data()[c] += (context_.contact_factor - 1) * contact.data()[c];
  return reaction;
}

// Contact is that of samples, of which no pair is named.
Diagnosis SubspaceModel::diagnose(const Points& q, const Points& d, const MinimizerSettings& settings,
                                  const MinimizeReport& end) {
  const End at = end_at(q);
  MatX target = at.y;
  potential_->target(q, d, target);
  Points from, to;
  kinematics().lift(at.y, from);
  kinematics().lift(target, to);
  const Points moved = (to - from).leftCols(system_->dynamic_count);
  const std::vector<TermForce> terms = full_space_gradient().forces(step_to(at));
  const ContactModel& contact = potential_->contact();
  const bool touches = !contact.contacts().empty();
  ClosestContact closest;
  if (touches) closest = {contact.min_distance(), "samples of the surfaces", -1};
  return sinew::diagnose({*system_, full_space_gradient().elastic(), at.x, moved, terms, closest, context_.step,
                          !context_.inertia, touches ? contact.stiffness() : 0},
                         settings, end);
}

std::vector<const LoadEnergy*> SubspaceModel::load_terms() {
  return full_space_gradient().load_terms();
}

// With the fibers of the state.
const ElasticEnergy& SubspaceModel::elastic_at(const State& state) {
  if (moves_fibers(*system_)) full_space_gradient().begin_step(step_to(end_at(state.x)));
  return full_space_gradient().elastic();
}

// For reports; no step uses it.
FullSpaceGradient& SubspaceModel::full_space_gradient() {
  if (!full_space_gradient_) full_space_gradient_ = std::make_shared<FullSpaceGradient>(*system_);
  return *full_space_gradient_;
}

SubspaceModel::End SubspaceModel::end_at(const Points& q) const {
  End end{potential_->packed().y_of(context_.start), potential_->packed().y_of(q), {}};
  lift_positions(q, context_.time_end, end.x);
  return end;
}

ReducedStep SubspaceModel::step_to(const End& end) const {
  return {kinematics(), model_.contact.get(), potential_->coordinate_step(), end.start, end.y, end.x};
}

std::optional<FullGradient> SubspaceModel::full_gradient(const State& state) {
  if (!subspace() || !system_->skins.empty()) return {};  // bones are no part of a full-space problem
  const End end = end_at(state.x);
  return full_space_gradient().measure(step_to(end));
}

// The work of a step is that of the points' stiffness in coordinates, in each iteration [flops].
std::optional<StateError> SubspaceModel::error(const State& state, const StepReport& report) {
  if (!subspace() || !system_->skins.empty()) return {};
  const double unknowns = static_cast<double>(kinematics().unknown_rows() * kinematics().unknown_columns());
  const double points = static_cast<double>(model_.points->slot_count());
  const double work = report.newton_iterations * unknowns * unknowns * (unknowns / 3 + 18 * points);
  const bool cheap = estimate_work(*system_) < 0.1 * work;
  // Load steps are few, and the last one is what counts.
  const bool statics = system_->setup.time.integrator == Integrator::statics;
  if (!wants_error(system_->setup.solver, report.step, cheap || statics)) return {};
  State start = lift(before_);
  place_obstacles(*system_, start.time, start.x);
  start.planes = planes_at(*system_, start.time);
  if (!full_space_error_) full_space_error_ = std::make_shared<FullSpaceError>(system_, levels_);
  const StateError error = full_space_error_->measure(start, lift(state), context_.step, [&] {
    const Points force = contact_force(state.x);
    return force.cols() > 0 ? Points(-context_.contact_scale() * force)
                            : Points(Points::Zero(3, system_->dynamic_count));
  });
  if (error.unstable && !std::exchange(told_instability_, true))
    log::warning(
        "step {}: this equilibrium is unstable outside the subspace, for example by buckling; use more handles or "
        "modes, \"quadratic\" modes, or a full-space method",
        report.step);
  return error;
}

void SubspaceModel::stress(const State& state, Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) {
  const Index m = system_->tet_count();
  cauchy.resize(6, m);
  von_mises.resize(m);
  Points x;
  lift_positions(state.x, state.time, x);
  elastic_at(state).stress(x, {cauchy.data(), static_cast<std::size_t>(cauchy.size())}, von_mises);
}

void SubspaceModel::deformation_gradients(const State& state, std::span<double> out) {
  Points x;
  lift_positions(state.x, state.time, x);
  full_space_gradient().elastic().deformation_gradients(x, out);
}

void SubspaceModel::energy_density(const State& state, std::span<double> out) {
  Points x;
  lift_positions(state.x, state.time, x);
  elastic_at(state).energy_density(x, out);
}

}  // namespace sinew
