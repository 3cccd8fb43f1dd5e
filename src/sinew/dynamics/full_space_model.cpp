#include "sinew/dynamics/full_space_model.h"

#include <fmt/format.h>

#include "sinew/contact/intersection.h"
#include "sinew/contact/layer_overlap.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/full_space_error.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/state_archive.h"
#include "sinew/dynamics/tie_traction.h"
#include "sinew/dynamics/tied_mass.h"
#include "sinew/dynamics/time_rule.h"
#include "sinew/newton/local_elimination.h"
#include "sinew/potential/inertia.h"
#include "sinew/solver/gap_opening.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

FullSpaceModel::FullSpaceModel(std::shared_ptr<const System> system, std::unique_ptr<FullSpaceDirection> direction)
    : system_(system), direction_(std::move(direction)), potential_(system) {}

// Where the direction takes local steps and the system has patches.
Elimination* FullSpaceModel::elimination() {
  if (!elimination_ && direction_->takes_local_steps() && PatchMaker::possible(*system_))
    elimination_ = std::make_unique<LocalElimination>(potential_);
  return elimination_.get();
}

void FullSpaceModel::adapt(Change change) {
  if (change != Change::values && change != Change::time_step) elimination_.reset();  // springs and loads hold vertices
  potential_.adapt(change);
  direction_->adapt(change);
}

void FullSpaceModel::prepare(const State& from, double end, double step) {
  prepare_step(*system_, from, end, step, context_);
  // A tie whose time is over while its faces cross holds on until they do not.
  std::vector<char> held = context_.held;
  for (std::size_t t = 0; t < held.size(); ++t) held[t] = held[t] || (from.held[t] && !may_part(from.x, context_.held));
  if (held != context_.held) set_held(*system_, std::move(held), context_);
  potential_.begin_step(context_, from.contact_stiffness);
}

void FullSpaceModel::start(Points& x, const std::vector<PlaneState>& planes) {
  direction_->begin_step(context_, potential_);
  if (open_gaps(potential_, x, planes)) potential_.update_lagged(x);
  if (direction_->starts_at_predictor() && context_.inertia) go_to_predictor(x, planes);
}

// Starts at the filtered predictor (QN, algorithm 1, starts at x~ itself; J > 0 and the barrier need the filter):
//   x <- x + alpha (x~ - x),  alpha the largest step that filters allow,
// if E is lower there and no contact is active, since nearly closed gaps make a bad start. Prescribed coordinates are
// moved by the iterations.
void FullSpaceModel::go_to_predictor(Points& x, const std::vector<PlaneState>& planes) {
  const Index n = system_->dynamic_count;
  Points displacement = Points::Zero(3, x.cols());
  parallel_for(
      n,
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k)
          if (!context_.prescribed[3 * i + k]) displacement(k, i) = context_.predictor(k, i) - x(k, i);
      },
      4096);
  potential_.complete(displacement);
  const double before = potential_.value(x).total();
  const double alpha = potential_.max_step(x, displacement, planes);
  Points trial = x + alpha * displacement;
  potential_.set_contacts(trial, planes);
  if (potential_.contact().contacts().empty() && potential_.value(trial).total() < before) {
    x.swap(trial);
  } else {
    potential_.set_contacts(x, planes);
  }
}

void FullSpaceModel::finish(const State& from, const Points& x, const std::vector<PlaneState>& planes, State& next) {
  next = from;
  finish_step(*system_, context_, x, planes, kick(x), next);
  for (Points* values : {&next.x, &next.v, &next.a})
    if (values->cols() > 0) system_->place_followers(*values, context_.ties.get());
  next.contact_stiffness = potential_.contact().stiffness();
  potential_.elastic().end_step(x, next.material_history);
}

// The displacement by contact and friction at x (time_rule.h); empty where there is none or no rule asks for it.
Points FullSpaceModel::kick(const Points& x) {
  if (!context_.inertia || !is_kicked(system_->setup.time)) return {};
  const Points force = contact_force(x);
  if (force.cols() == 0) return {};
  Points kick = Points::Zero(3, x.cols());
  parallel_for(system_->dynamic_count, [&](std::size_t i) {
    for (int k = 0; k < 3; ++k)
      if (!context_.prescribed[3 * i + k]) kick(k, i) = context_.contact_scale() / system_->mass[i] * force(k, i);
  });
  if (context_.ties) divide_by_tied_mass(*system_, context_, context_.contact_scale() * force, kick);
  return kick;
}

// Newmark's acceleration is that of the bodies' forces, a = M^{-1} f_body(x). The rule makes it of positions
// (time_rule.h), and with it of what forces lack to balance, M^{-1} grad E / scale: a step that ends before they do
// would push once more in the next one.
void FullSpaceModel::leave_out_residual(State& next) {
  if (!context_.inertia || !is_kicked(system_->setup.time)) return;
  Points g, before;
  if (context_.ties) before = next.a;
  potential_.gradient(next.x, g);
  parallel_for(system_->dynamic_count, [&](std::size_t i) {
    for (int k = 0; k < 3; ++k)
      if (!context_.prescribed[3 * i + k]) next.a(k, i) -= g(k, i) / (context_.scale * system_->mass[i]);
  });
  if (!context_.ties) return;
  Points lack = Points::Zero(3, next.a.cols());
  divide_by_tied_mass(*system_, context_, g / context_.scale, lack);
  for (const Index v : followed_by(*context_.ties)) next.a.col(v) = before.col(v) - lack.col(v);
  system_->place_followers(next.a, context_.ties.get());
}

// Whether faces of ties, all but those that hold, are apart.
bool FullSpaceModel::may_part(const Points& x, std::span<const char> held) const {
  const ContactSetup& contact = system_->setup.contact;
  return !contact.enabled || contact.model == ContactKind::penalty ||
         (find_intersections(system_->collision, x, held).empty() &&
          find_layer_overlaps(system_->collision, x, {}, held).empty());
}

// The forces of ties on the vertices that follow [N]: grad E / (a h^2) there by all vertices, in which contact counts
// once, as of the reactions of prescribed coordinates.
Points FullSpaceModel::tie_forces(const Points& x) const {
  Points g;
  potential_.gradient_by_all(x, g);
  if (context_.contact_factor != 1) {
    const Points contact =
        potential_.force_on_points(EnergyKind::barrier, x) + potential_.force_on_points(EnergyKind::friction, x);
    g += (context_.contact_scale() - context_.scale) * contact.leftCols(g.cols());
  }
  return g / context_.scale;
}

void FullSpaceModel::release(State& next, std::vector<std::string>& events) {
  if (system_->ties.empty()) return;
  next.held = context_.held;
  Points forces;
  for (std::size_t t = 0; t < next.held.size(); ++t) {
    const Tie& tie = system_->ties[t];
    if (!next.held[t] || !(tie.breaks_at > 0)) continue;
    if (forces.cols() == 0) forces = tie_forces(next.x);
    const double traction = mean_traction(tie, next.x, forces);
    if (!(traction > tie.breaks_at)) continue;
    std::vector<char> held = next.held;
    held[t] = 0;
    const bool parts = may_part(next.x, held);
    events.push_back(fmt::format(
        "ties[{}], from '{}' to '{}', {} at {:.6g} s: its traction, {:.4g} Pa, exceeds breaks_at, {:.4g} Pa", t,
        system_->bodies[tie.body].name, system_->bodies[tie.to].name,
        parts ? "breaks" : "holds until its faces no longer intersect", next.time, traction, tie.breaks_at));
    if (parts) next.held = std::move(held);
  }
}

void FullSpaceModel::set_shortening(std::vector<double> shortening) {
  context_.shortening = std::move(shortening);
  potential_.renew_states();
}

// Kinetic 1/2 sum m_i |v_i|^2, gravity -sum m_i g . x_i, and the terms of E without a h^2.
Energies FullSpaceModel::energies(const State& state, const PotentialValue& E) {
  Energies energies;
  energies.kinetic = kinetic_energy(*system_, state.v);
  energies.gravity = gravity_energy(*system_, state.x);
  energies.elastic = E[EnergyKind::elastic] / context_.scale;
  energies.barrier = E[EnergyKind::barrier] / context_.contact_scale();
  energies.friction = E[EnergyKind::friction] / context_.contact_scale();
  energies.springs = E[EnergyKind::springs] / context_.scale;
  return energies;
}

double FullSpaceModel::min_jacobian(const State& state) {
  return system_->elastic_tet_count() > 0 ? potential_.elastic().min_jacobian(state.x) : 1;
}

Points FullSpaceModel::contact_force(const Points& x) {
  if (potential_.contact().contacts().empty() && !potential_.contact().has_friction()) return Points(3, 0);
  return potential_.force(EnergyKind::barrier, x) + potential_.force(EnergyKind::friction, x);
}

NodalForces FullSpaceModel::forces(const State& state, const std::vector<TermForce>&) {
  NodalForces forces;
  forces.elastic = potential_.force_on_points(EnergyKind::elastic, state.x);
  forces.contact = potential_.force_on_points(EnergyKind::barrier, state.x);
  forces.friction = potential_.force_on_points(EnergyKind::friction, state.x);
  return forces;
}

// Reactions of prescribed coordinates: grad E / (a h^2) there, in which contact counts once.
Points FullSpaceModel::reactions(const State& state, const std::vector<TermForce>&) {
  Points g, reaction(3, system_->dynamic_count);
  potential_.gradient(state.x, g);
  if (context_.contact_factor != 1)
    g += (context_.contact_scale() - context_.scale) *
         (potential_.force(EnergyKind::barrier, state.x) + potential_.force(EnergyKind::friction, state.x));
  parallel_for(system_->dynamic_count, [&](std::size_t i) {
    for (int k = 0; k < 3; ++k) reaction(k, i) = context_.prescribed[3 * i + k] ? g(k, i) / context_.scale : 0.0;
  });
  return reaction;
}

Diagnosis FullSpaceModel::diagnose(const Points& x, const Points& d, const MinimizerSettings& settings,
                                   const MinimizeReport& end) {
  return sinew::diagnose(potential_, x, d, settings, end);
}

std::optional<StateError> FullSpaceModel::error(const State& state, const StepReport& report) {
  if (!wants_error(system_->setup.solver, report.step, false)) return {};
  return direction_->error(state.x);
}

void FullSpaceModel::stress(const State& state, Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) {
  const Index m = system_->tet_count();
  cauchy.setZero(6, m);
  von_mises.assign(m, 0.0);
  potential_.elastic().stress(state.x, {cauchy.data(), static_cast<std::size_t>(cauchy.size())}, von_mises);
}

std::vector<double> FullSpaceModel::plastic_strain(const State& state) const {
  return potential_.elastic().plastic_strain(state.material_history);
}

void FullSpaceModel::save(ArchiveWriter& archive, const State& state) const {
  save_state(archive, "state/", state);
  direction_->save(archive);
}

State FullSpaceModel::load(const ArchiveReader& archive) {
  State state = load_state(archive, "state/", system_->vertex_count(), system_->planes.size(), "vertices");
  if (state.held.empty()) state.held.assign(system_->ties.size(), 1);
  if (state.held.size() != system_->ties.size())
    fail_input(code::checkpoint_scene,
               "the checkpoint has {} ties, but the scene has {}: the checkpoint belongs to another scene",
               state.held.size(), system_->ties.size());
  if (!state.material_history.empty() && state.material_history.size() != potential_.elastic().history_size())
    fail_input(code::checkpoint_scene,
               "the checkpoint has {} numbers of history of viscous and plastic materials, but the scene has {}: the "
               "checkpoint belongs to another scene",
               state.material_history.size(), potential_.elastic().history_size());
  if (state.shortening.size() != system_->bolts.size())
    fail_input(code::checkpoint_scene,
               "the checkpoint has {} bolts, but the scene has {}: the checkpoint belongs to another scene",
               state.shortening.size(), system_->bolts.size());
  direction_->load(archive);
  return state;
}

}  // namespace sinew
