#include "sinew/dynamics/condensed_stepper.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/plane_numbers.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/dynamics/subspace_reactions.h"
#include "sinew/potential/friction_rounds.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {
namespace {

constexpr double same_positions = 1e-9;  // of a checkpoint, over the scene's diagonal

// The number of different times before `time` at which vertices are released.
int releases_before(const System& system, double time) {
  std::vector<double> times;
  for (const PrescribedVertex& prescribed : system.prescribed)
    if (!prescribed.holds_at(time) && !prescribed.own_place) times.push_back(prescribed.until);
  std::ranges::sort(times);
  return static_cast<int>(std::unique(times.begin(), times.end()) - times.begin());
}

// Those of a checkpoint; none where it is of a version that did not write them.
std::vector<PlaneState> loaded_planes(const ArchiveReader& archive) {
  constexpr const char* name = "condensed/planes";
  if (!archive.has(name)) return {};
  const std::vector<double> values = archive.doubles(name);
  if (std::ranges::any_of(values, [](double value) { return !std::isfinite(value); }))
    fail_input("the checkpoint is damaged: {} holds what is no number", name);
  return planes_of_numbers(values);
}

}  // namespace

CondensedStepper::CondensedStepper(std::shared_ptr<const System> system, Formulation formulation)
    : system_(std::move(system)), formulation_(formulation) {
  const State start = initial_state(*system_);
  set_up(end_of_step(*system_, start));
  replace(start);
}

// The basis and the cubature stay those of the start, made for its stiffnesses; released vertices are followed by the
// next step (follow_releases).
void CondensedStepper::adapt(Change change) {
  if (change == Change::materials) {
    model_.points->set_parameters(*system_);
    if (model_.energy) model_.energy->set_parameters(*system_);
    if (all_tets_) all_tets_->set_groups(system_->groups);
    if (system_->automatic_stiffness) state_.contact_stiffness = system_->contact_stiffness;
  }
  model_.space->adapt(change);
  if (full_space_error_) full_space_error_->adapt(change);
}

// Obstacles and planes at a time.
ObstaclePlaces CondensedStepper::obstacles_at(double time) const {
  ObstaclePlaces places;
  place_obstacle_vertices(*system_, time, places.x);
  planes_at(*system_, time, places.planes);
  return places;
}

// Throws InputError where y touches what it may not.
void CondensedStepper::check_start(const MatX& y, const ObstaclePlaces& places) {
  if (ReducedContact* contact = model_.space->contact()) contact->check(y, places);
}

// The contacts of the state, for those who ask before the next step.
void CondensedStepper::stand() {
  if (ReducedContact* contact = model_.space->contact())
    contact->find(state_.x, state_.obstacles.x, state_.obstacles.planes);
}

// At the state.
SpaceContact CondensedStepper::contact() const {
  const ReducedContact* contact = model_.space->contact();
  return contact ? contact->summary() : SpaceContact{};
}

MinimizerSettings CondensedStepper::settings() const {
  const SolverSetup& solver = system_->setup.solver;
  MinimizerSettings settings = common_settings(*system_);
  settings.max_iterations = std::max(solver.max_iterations, solver.iterations);
  settings.budget = solver.iterations;
  const FrictionRounds rounds = friction_rounds(*system_);
  settings.friction_rounds = rounds.most;
  settings.friction_tolerance = rounds.tolerance;
  return settings;
}

// Goes over to the other formulation. Stretches start at those of the positions, s = S(F).
bool CondensedStepper::set_formulation(Formulation formulation) {
  if (formulation == Formulation::standard &&
      !(model_.points->value(potential_->deformation_gradients(state_.x), 1) < forever))
    fail_input("{}", inverted_text);
  formulation_ = formulation;
  potential_->set_formulation(formulation);
  potential_->stretches(state_.x, state_.s);
  return true;
}

void CondensedStepper::drop_history() {
  for (MatX* m : {&state_.x_previous, &state_.v_previous, &state_.a}) m->resize(m->rows(), 0);
}

void CondensedStepper::set_clock(int step, double start_time) {
  state_.step = step;
  state_.start_time = start_time;
  lifted_.reset();
}

// All that depends on which vertices are prescribed, at a time.
void CondensedStepper::set_up(double time) {
  releases_ = releases_before(*system_, time);
  model_ = make_condensed_model(*system_, time);
  potential_.emplace(*system_, model_, formulation_);
  direction_.emplace(*potential_);
  for (MatX* m : {&step_.predictor, &step_.reference}) m->setZero(model_.space->rows(), model_.space->columns());
}

// Where vertices are released before the end of the step, projects the state into a space that is made without them.
void CondensedStepper::follow_releases(double time_end) {
  if (releases_before(*system_, time_end) == releases_) return;
  const State full = sample();
  const CondensedState before = state_;
  const bool inverted = !(energies().elastic < forever);
  try {
    set_up(time_end);
    replace(full);
    if (!inverted && formulation_ == Formulation::standard && !(energies().elastic < forever))
      fail_input("a tet would be inverted or flat, which its material does not allow");
  } catch (const InputError& error) {
    set_up(before.time);
    state_ = before;
    lifted_.reset();
    start_y_.resize(0, 0);
    throw SimulationError(fmt::format(
        "step {}: vertices are released here, and the modes or handles of what is then free cannot hold the "
        "present shape: {}; or release them when bodies are less deformed or farther from others",
        state_.step + 1, error.what()));
  }
}

// What the next step holds may not be what was held before: a state of another method may be of any time.
StateLoss CondensedStepper::replace(State full) {
  const double next = end_of_step(*system_, full.step, full.start_time);
  if (releases_before(*system_, next) == releases_) return project(std::move(full));
  const double before = state_.time;
  set_up(next);
  try {
    return project(std::move(full));
  } catch (...) {
    set_up(before);
    throw;
  }
}

// Projects a full-space state: y is the mass-weighted fit of x - X, with the prescribed part from the motions;
// velocities and accelerations likewise. Returns how far the lifted state is from the given one.
StateLoss CondensedStepper::project(State full) {
  const Index n = system_->dynamic_count;
  CondensedState state;
  state.time = full.time;
  state.start_time = full.start_time;
  state.step = full.step;
  const Points rest = system_->rest.leftCols(n);
  const double h = system_->setup.time.step;
  const auto position = [&](double time, const Points& values, MatX& y) {
    y.setZero(model_.space->rows(), model_.space->columns());
    model_.space->place(time, y);
    model_.space->project(values.leftCols(n) - rest, y);
  };
  position(full.time, full.x, state.x);
  // The prescribed part of velocities is that of the motions over the last step.
  const auto velocity = [&](double time, const MatX& at, const Points& values, MatX& v) {
    MatX now = MatX::Zero(model_.space->rows(), model_.space->columns()), before = now;
    model_.space->place(time, now);
    model_.space->place(time - h, before);
    v = (now - before) / h;
    model_.space->project_velocity(at, values.leftCols(n), v);
  };
  velocity(full.time, state.x, full.v, state.v);
  const bool same_step = full.previous_step == 0 || full.previous_step == h;
  if (full.x_previous.cols() == full.x.cols() && same_step) {
    position(full.time - h, full.x_previous, state.x_previous);
    velocity(full.time - h, state.x_previous, full.v_previous, state.v_previous);
  }
  if (full.a.cols() == full.x.cols()) {
    state.a.setZero(model_.space->rows(), model_.space->columns());
    model_.space->project_velocity(state.x, full.a.leftCols(n), state.a);
  }
  // Each point starts with the stretch of the projected positions, s = S(F).
  potential_->stretches(state.x, state.s);
  state.obstacles = {full.x.rightCols(full.x.cols() - n), full.planes};
  state.contact_stiffness = full.contact_stiffness;
  check_start(state.x, state.obstacles);
  state_ = std::move(state);
  start_y_.resize(0, 0);
  lifted_.reset();
  stand();
  // What the projection lost, as the largest distance of a vertex.
  StateLoss loss;
  const State& held = sample();
  for (Index i = 0; i < n; ++i) {
    loss.position = std::max(loss.position, (held.x.col(i) - full.x.col(i)).norm());
    loss.velocity = std::max(loss.velocity, (held.v.col(i) - full.v.col(i)).norm());
  }
  return loss;
}

const ReducedBasis* CondensedStepper::subspace() const {
  return model_.space->basis();
}

// The elastic energy over all tets, for reports; no step uses it.
const ElasticEnergy& CondensedStepper::all_tets() {
  if (!all_tets_)
    all_tets_ = std::make_unique<ElasticEnergy>(system_->rest, system_->tets, system_->groups, system_->dynamic_count);
  return *all_tets_;
}

CondensedStep CondensedStepper::last_step() const {
  return {*system_, *model_.space, step_, start_y_, state_.x, sample().x};
}

std::optional<FullGradient> CondensedStepper::full_gradient() {
  if (!subspace() || start_y_.size() == 0) return {};
  return measure_full_gradient(last_step(), all_tets());
}

// The work of a step is that of the points' stiffness in coordinates, in each iteration [flops].
std::optional<StateError> CondensedStepper::error(const StepReport& report) {
  if (!subspace() || start_y_.size() == 0) return {};
  const double unknowns = static_cast<double>(model_.space->unknown_rows() * model_.space->unknown_columns());
  const double points = static_cast<double>(model_.points->slot_count());
  const double work = report.newton_iterations * unknowns * unknowns * (unknowns / 3 + 18 * points);
  const bool cheap = estimate_work(*system_) < 0.1 * work;
  // Load steps are few, and the last one is what counts.
  const bool statics = system_->setup.time.integrator == Integrator::statics;
  if (!wants_error(system_->setup.solver, report.step, cheap || statics)) return {};
  const State after = sample();
  std::swap(state_, before_);
  lifted_.reset();
  State start = sample();
  place_obstacles(*system_, start.time, start.x);
  start.planes = planes_at(*system_, start.time);
  std::swap(state_, before_);
  lifted_ = after;
  if (!full_space_error_) full_space_error_ = std::make_unique<FullSpaceError>(system_);
  return full_space_error_->measure(start, after, [&] {
    Points normal = Points::Zero(3, system_->dynamic_count), friction = normal;
    if (ReducedContact* contact = model_.space->contact()) contact->add_full_gradient(step_.scale, normal, friction);
    return Points(normal + friction);
  });
}

// Of handles row 4 i + k, column a of y is entry 12 i + 3 k + a of q.
VecX CondensedStepper::coordinates() const {
  if (!subspace()) return {};
  if (subspace()->is_dense()) return model_.space->coordinates(state_.x);
  const MatX q = state_.x.topRows(subspace()->dof_count() / 3).transpose();
  return Eigen::Map<const VecX>(q.data(), q.size());
}

// Sets q and drops the history of the integrator, which would belong to other positions.
void CondensedStepper::set_coordinates(const VecX& q) {
  if (!subspace()) return;
  const Index count = subspace()->dof_count();
  if (q.size() != count)
    fail_input(
        "reduced coordinates: found {} numbers, expected {}, {}", q.size(), count,
        subspace()->is_dense()
            ? std::string("one for each mode, after a shift and a turn of three numbers each where a body floats")
            : fmt::format("12 for each of {} handles", subspace()->handle_count()));
  if (!q.allFinite()) fail_input("reduced coordinates: found a number that is not finite");
  MatX y = state_.x;
  if (subspace()->is_dense())
    model_.space->set_coordinates(q, y);
  else
    y.topRows(count / 3) = Eigen::Map<const MatX>(q.data(), 3, count / 3).transpose();
  const ObstaclePlaces places = obstacles_at(state_.time);
  check_start(y, places);
  state_.x = std::move(y);
  state_.obstacles = places;
  for (MatX* m : {&state_.x_previous, &state_.v_previous, &state_.a}) m->resize(0, 0);
  potential_->stretches(state_.x, state_.s);
  lifted_.reset();
  stand();
}

// The full-space state x = X + U y, lifted once for each step when it is asked for.
const State& CondensedStepper::sample() const {
  if (lifted_) return *lifted_;
  const Index n = system_->dynamic_count;
  const double h = system_->setup.time.step;
  State full = initial_state(*system_, state_.time);
  full.start_time = state_.start_time;
  full.step = state_.step;
  full.contact_stiffness = state_.contact_stiffness;
  Points u;
  // Obstacles have their places at the given time, or the difference of two places over h as velocities.
  const auto lift = [&](const MatX& y, bool position, double time, Points& out) {
    out.setZero(3, system_->vertex_count());
    if (position)
      model_.space->lift(y, u);
    else
      model_.space->lift_motion(time < state_.time ? state_.x_previous : state_.x, y, u);
    out.leftCols(n) = u;
    if (position) {
      out.leftCols(n) += system_->rest.leftCols(n);
      place_obstacles(*system_, time, out);
    } else {
      Points now = out, before = out;
      place_obstacles(*system_, time, now);
      place_obstacles(*system_, time - h, before);
      out.rightCols(out.cols() - n) = ((now - before) / h).rightCols(out.cols() - n);
    }
  };
  lift(state_.x, true, state_.time, full.x);
  if (model_.space->contact()) {  // they lag behind a step that did not converge
    full.x.rightCols(full.x.cols() - n) = state_.obstacles.x;
    full.planes = state_.obstacles.planes;
  }
  lift(state_.v, false, state_.time, full.v);
  if (state_.x_previous.size() > 0) {
    lift(state_.x_previous, true, state_.time - h, full.x_previous);
    lift(state_.v_previous, false, state_.time - h, full.v_previous);
    full.planes_previous = planes_at(*system_, state_.time - h);
  }
  if (state_.a.size() > 0) lift(state_.a, false, state_.time, full.a);
  lifted_ = std::move(full);
  return *lifted_;
}

// Starts a step: predictor y~ and reference y^ of the integrator (time_rule.h). The iterations start at the state, not
// at the predictor.
void CondensedStepper::begin(const TimeRule& rule) {
  step_.inertia = system_->setup.time.integrator != Integrator::statics;
  step_.scale = rule.scale;
  step_.step = step_.inertia ? system_->setup.time.step : 1;
  step_.start_time = state_.time;
  step_.reference_step = rule.reference_step;
  step_.contact_factor = rule.contact_factor;
  step_.own_slip_reference.resize(0, 0);
  if (rule.slip_step > 0) {
    step_.own_slip_step = rule.slip_step;
    step_.own_slip_reference = state_.x + rule.slip_v * state_.v;
  }
  step_.load_factor = step_.inertia || !system_->setup.time.ramp ? 1 : step_.time;
  for (int a = 0; a < model_.space->columns(); ++a) {
    reference_position(rule, state_, a, step_.reference.col(a));
    free_position(rule, state_, a, step_.predictor.col(a));
  }
  // Statics has no predictor: a load step starts at the state.
  if (!step_.inertia) step_.reference = step_.predictor = state_.x;
  if (model_.space->contact()) {
    place_obstacle_vertices(*system_, step_.time, targets_.x);
    planes_at(*system_, step_.time, targets_.planes);
  }
  potential_->begin_step(step_, state_.x, state_.obstacles, targets_, state_.contact_stiffness);
  potential_->pack(state_.x, state_.s, state_.obstacles, q_);
  if (model_.space->contact())
    planes_ = state_.obstacles.planes;
  else
    planes_.clear();
}

// F: of the points at the state.
Energies CondensedStepper::energies_of(const double* F) const {
  Energies energies;
  energies.kinetic = model_.space->kinetic(state_.v);
  energies.gravity = model_.space->gravity(state_.x);
  energies.springs = model_.space->springs(state_.x);
  const SpaceContact contact = this->contact();
  energies.barrier = contact.barrier;
  energies.friction = contact.friction;
  const ElasticPoints& points = model_.energy ? *model_.energy : *model_.points;
  energies.elastic =
      formulation_ == Formulation::mixed ? model_.points->stretch_energy(state_.s.data()) : points.value(F, 1);
  energies.elastic += model_.space->elastic(state_.x);
  return energies;
}

Energies CondensedStepper::energies() {
  return energies_of(potential_->deformation_gradients(state_.x));
}

// Elastic forces by all tets, contact forces at the samples of the surfaces. Reactions are what the gradient of the
// potential, without a h^2, leaves to balance.
NodalForces CondensedStepper::forces() {
  const Index n = system_->dynamic_count;
  NodalForces forces;
  forces.elastic = forces.contact = forces.friction = forces.reaction = Points::Zero(3, n);
  all_tets().add_gradient(sample().x, -1, forces.elastic);
  if (ReducedContact* contact = model_.space->contact())
    contact->add_full_gradient(-1, forces.contact, forces.friction);
  forces.mean_contact = forces.contact + forces.friction;
  if (start_y_.size() == 0) return forces;
  // Contact counts once in reactions.
  const Points residual = full_space_gradient(last_step(), all_tets()).leftCols(n) / step_.scale +
                          (step_.contact_factor - 1) * (forces.contact + forces.friction);
  std::vector<char> fixed(3 * static_cast<std::size_t>(n), 0);
  for (const PrescribedVertex& prescribed : system_->prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k] && prescribed.holds_at(step_.time))
        fixed[3 * static_cast<std::size_t>(prescribed.vertex) + k] = 1;
  forces.reaction = subspace_reactions(*system_, sample().x, residual, fixed);
  return forces;
}

void CondensedStepper::stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) {
  const Index m = system_->tet_count();
  cauchy.resize(6, m);
  von_mises.resize(m);
  all_tets().stress(sample().x, {cauchy.data(), static_cast<std::size_t>(cauchy.size())}, von_mises);
}

void CondensedStepper::save(ArchiveWriter& archive) const {
  save_condensed(archive, state_);
  archive.write("state/x", sample().x);  // for those who start from the checkpoint
  archive.write("state/v", sample().v);
  archive.write("condensed/planes", std::span<const double>(plane_numbers(sample().planes)));
}

void CondensedStepper::load(const ArchiveReader& archive) {
  CondensedState state = load_condensed_clock(archive);
  if (releases_before(*system_, state.time) != releases_) set_up(state.time);
  load_condensed(archive, model_.space->rows(), model_.space->columns(), potential_->stretch_count(), state);
  if (!archive.has("condensed/contact_stiffness")) state.contact_stiffness = system_->contact_stiffness;
  // Coordinates say nothing of the modes or handles that they belong to; the positions that were lifted then do.
  const Points written = archive.points("state/x");
  const Index n = system_->dynamic_count;
  std::swap(state_, state);
  state_.obstacles = obstacles_at(state_.time);
  lifted_.reset();
  const Points& now = sample().x;
  const double off = written.cols() == now.cols() ? (now - written).leftCols(n).colwise().norm().maxCoeff() : forever;
  if (off <= same_positions * system_->diagonal) {
    start_y_.resize(0, 0);  // of no step of this run
    // Obstacles may lag behind a step that did not converge.
    ObstaclePlaces places{written.rightCols(written.cols() - n), loaded_planes(archive)};
    const bool whole = places.x.allFinite() && places.planes.size() == system_->planes.size();
    state_.obstacles = whole ? std::move(places) : obstacles_at(state_.time);
    lifted_.reset();
    check_start(state_.x, state_.obstacles);
    stand();
    return;
  }
  std::swap(state_, state);
  lifted_.reset();
  fail_input(
      "the checkpoint's coordinates belong to other modes or handles, by which positions would be off by {:.3g} m: a "
      "file of modes, a material or what is held is not what it was; start from its positions by \"initial\" instead",
      off);
}

// Of the last step, which did not converge. Contact is that of samples, of which no pair is named.
Diagnosis CondensedStepper::diagnosis(MinimizeReport end, const std::string& reason) {
  const Index n = system_->dynamic_count;
  const Points& x = sample().x;
  MatX target = state_.x;
  potential_->target(q_, minimizer_.last_direction(), target);
  Points from, to;
  model_.space->lift(state_.x, from);
  model_.space->lift(target, to);
  const Points d = (to - from).leftCols(n);
  const std::vector<TermForce> terms = full_space_forces(last_step(), all_tets());
  const SpaceContact contact = this->contact();
  ClosestContact closest;
  if (contact.count > 0) closest = {contact.min_distance, "samples of the surfaces", -1};
  if (end.reason.empty()) end.cause = Cause::inversion_filter;  // the minimisation converged to an inverted state
  end.reason = reason;
  end.stiffness_before = contact.count > 0 ? system_->contact_stiffness : 0;
  return diagnose({*system_, all_tets(), x, d, terms, closest, step_.step, !step_.inertia, end.stiffness_before},
                  minimizer_.settings(), end);
}

// The displacement by contact and friction at the end of a step (time_rule.h), as far as coordinates have it; empty
// where there is none or no rule asks for it.
MatX CondensedStepper::kick(const MatX& y) {
  if (!is_kicked(system_->setup.time) || contact().count == 0) return {};
  Points force = Points::Zero(3, system_->dynamic_count);
  model_.space->contact()->add_full_gradient(-step_.contact_factor * step_.scale, force, force);
  for (Index i = 0; i < force.cols(); ++i) force.col(i) /= system_->mass[i];
  MatX kick = MatX::Zero(y.rows(), y.cols());
  model_.space->project_velocity(y, force, kick);
  return kick;
}

// One step: releases, predictor, minimisation, and the integrator's update of velocity and history.
StepReport CondensedStepper::advance() {
  const Stopwatch total;
  const TimeSetup& time = system_->setup.time;
  if (time.integrator == Integrator::statics && state_.step >= time.steps)
    fail_input("all {} load steps are done: the whole load is on (time.steps)", time.steps);
  step_.time = end_of_step(*system_, state_.step, state_.start_time);
  follow_releases(step_.time);
  const TimeRule rule = time_rule(time, time.step, state_.x_previous.size() > 0 ? time.step : 0.0, state_.a.size() > 0);
  StepReport report;
  start_y_ = state_.x;
  before_ = state_;
  begin(rule);
  const auto check = [this] {
    if (interrupted()) throw Interrupted("the step was interrupted");
  };
  potential_->collision_seconds = potential_->assembly_seconds = 0;
  minimizer_.set(settings());
  direction_->begin_step();
  MinimizeReport end = minimizer_.minimize(*potential_, *direction_, q_, planes_, check);
  fill_report(end, report);
  report.seconds.assembly = potential_->assembly_seconds;
  report.friction_iterations = end.friction_rounds;
  report.friction_residual = end.friction_error;
  report.friction_converged = report.friction_residual <= minimizer_.settings().friction_tolerance;
  if (is_unsettled(report, *system_)) {
    report.converged = false;
    end.cause = Cause::unsettled_friction;
    end.reason = report.reason = unsettled_text(report, *system_);
  }
  MatX& y = end_.x;
  potential_->unpack(q_, y, end_.s, end_.obstacles);
  end_.obstacles.planes = planes_;
  if (!step_.inertia && report.failed()) refuse_free_pieces(*system_, step_.time, {});
  if (!y.allFinite()) {
    throw SimulationError(
        fmt::format("step {} cannot be computed: positions are not finite; check units, stiffnesses, "
                    "loads and velocities, or take a smaller time.step",
                    state_.step + 1));
  }
  if (step_.inertia) {
    end_motion(time, rule, y, step_.reference, kick(y), state_);
    // The trapezoidal rule keeps all of velocities and accelerations that leads off a curved set of positions, with its
    // sign changed in each step: it grows (Hairer and Wanner 1996, section VII.1, of constraints by their second
    // derivative).
    if (time.integrator == Integrator::newmark && model_.space->is_curved())
      model_.space->keep_on(state_.x, state_.v, state_.a);
  } else {
    state_.x = y;
    state_.v.setZero();
  }
  if (potential_->is_mixed()) std::swap(state_.s, end_.s);
  if (model_.space->contact()) std::swap(state_.obstacles, end_.obstacles);
  state_.contact_stiffness = potential_->contact().stiffness();
  state_.time = step_.time;
  ++state_.step;
  lifted_.reset();
  report.step = state_.step;
  report.time = state_.time;
  const double* F = potential_->deformation_gradients(state_.x);
  report.energies = energies_of(F);
  if (!(report.energies.elastic <
        forever)) {  // where it started there: positions from outside, projected, for instance
    report.converged = report.budget = false;
    if (report.reason.empty()) report.reason = "a tet is inverted or flat, which its material does not allow";
  }
  const SpaceContact contact = this->contact();
  report.contacts = contact.count;
  report.contact_stiffness = contact.stiffness;
  report.min_distance = contact.min_distance;
  if (model_.points->slot_count() > 0) report.min_jacobian = model_.points->min_jacobian(F);
  if (report.failed()) report.diagnosis = diagnosis(end, report.reason);
  report.seconds.steps = total.seconds();
  return report;
}

}  // namespace sinew
