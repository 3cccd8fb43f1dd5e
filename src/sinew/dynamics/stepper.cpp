#include "sinew/dynamics/stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/plane_numbers.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/dynamics/state_archive.h"
#include "sinew/model/muscle.h"
#include "sinew/model/naming.h"
#include "sinew/potential/friction_rounds.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {
namespace {

// A body that travels further than this many diagonals of the scene in a load step has no equilibrium.
constexpr double far_away = 1e4;

}  // namespace

Stepper::Stepper(std::shared_ptr<const System> system, std::unique_ptr<StepModel> model,
                 MinimizerSettings (*settings)(const System&), bool loads)
    : system_(std::move(system)),
      model_(std::move(model)),
      settings_(settings),
      minimizer_(settings(*system_)),
      bolts_(*system_) {
  if (!loads) state_ = model_->project(initial_state(*system_));
  if (const auto& settings = system_->setup.time.continuation; settings && model_->full_space())
    path_.emplace(*system_, *settings);
}

// The state is another one, that no step has led to.
void Stepper::forget() {
  made_step_ = prepared_ = false;
  limit_ = -1;
  if (path_) path_->forget();
  energies_.reset();
  lifted_.reset();
  reaction_.reset();
  mean_contact_.resize(3, 0);
}

const State& Stepper::sample() const {
  if (model_->full_space()) return state_;
  if (!lifted_) lifted_ = model_->lift(state_);
  return *lifted_;
}

std::pair<const Points*, const Points*> Stepper::motion_of(std::span<const Index> vertices, bool moves, Points& x,
                                                           Points& v) const {
  if (model_->full_space() || lifted_) return {&sample().x, &sample().v};
  model_->lift_at(state_, vertices, x, moves ? &v : nullptr);
  return {&x, &v};
}

StateLoss Stepper::replace(State state) {
  StateLoss loss;
  if (model_->full_space()) {
    state_ = std::move(state);
    forget();
    return loss;
  }
  state_ = model_->project(state);
  forget();
  const State& held = sample();
  for (Index i = 0; i < system_->dynamic_count; ++i) {
    loss.position = std::max(loss.position, (held.x.col(i) - state.x.col(i)).norm());
    loss.velocity = std::max(loss.velocity, (held.v.col(i) - state.v.col(i)).norm());
  }
  return loss;
}

void Stepper::adapt(Change change) {
  energies_.reset();
  model_->adapt(change);
  adapt_estimator(change);
  minimizer_.set(settings_(*system_));
  if (change != Change::materials) return;
  if (system_->automatic_stiffness) state_.contact_stiffness = system_->contact_stiffness;
}

void Stepper::drop_history() {
  sinew::drop_history(state_);
  lifted_.reset();
}

void Stepper::set_clock(int step, double start_time) {
  state_.step = step;
  state_.start_time = start_time;
  lifted_.reset();
}

void Stepper::set_time(double time) {
  set_clock(state_.step, time - state_.step * system_->setup.time.step);
  state_.time = time;
  forget();
}

bool Stepper::set_formulation(Formulation formulation) {
  if (!model_->set_formulation(formulation, state_)) return false;
  forget();
  return true;
}

void Stepper::set_coordinates(const VecX& q) {
  if (!subspace()) return;
  model_->set_coordinates(q, state_);
  forget();
}

double Stepper::next_time() const {
  return end_of_step(*system_, state_);
}

void Stepper::require_remaining_load() const {
  const TimeSetup& time = system_->setup.time;
  if (path_ended())
    fail_input(code::steps_done, "the path of equilibria (time.continuation) has ended at load {:.6g}", state_.time);
  if (path_ && state_.step >= time.steps)
    fail_input(code::steps_done, "all {} steps (time.steps) along the path of equilibria are done", time.steps);
  if (time.integrator == Integrator::statics && state_.step >= time.steps)
    fail_input(code::steps_done, "all {} load steps (time.steps) are done: the full load acts", time.steps);
}

// One step: predictor and contacts, the minimisation of E with rounds of lagged friction, checks, and the integrator's
// update. The state is replaced last, so that a step that throws leaves it as it was.
StepReport Stepper::advance() {
  Stopwatch total;
  require_remaining_load();
  model_->follow_releases(state_, end_of_step(*system_, state_));
  lifted_.reset();
  StepReport report;
  energies_.reset();
  potential().collision_seconds = potential().assembly_seconds = 0;
  minimizer_.set(settings_(*system_));
  minimizer_.set(model_->elimination());
  mean_contact_.resize(3, 0);
  const int first = std::exchange(first_parts_, 1);
  // The minimisation proper; all that follows checks and accepts its result.
  Solution& end = end_;
  std::optional<State> part;  // where the last of several parts of the step begins
  if (path_)
    follow_path(part.emplace(state_), end, report);
  else
    solve_step(first, part, end, report);
  const State& from = part ? *part : state_;
  if (report.failed() || may_gain(report)) end.value = without_gain(from, end.x, end.planes, end.value, report);
  if (part) check_statics(end.x, report);
  check_advance(report);
  if (!report.converged) report.error = model_->direction().error(end.x);

  // The state changes only when everything about the next one is known to be finite.
  State& next = next_;
  finish(from, end, report, next);
  report.step = next.step;
  report.time = next.time;
  report.contacts = static_cast<long>(potential().contact().contacts().size());
  report.min_distance = potential().contact().min_distance();
  report.contact_stiffness = next.contact_stiffness;
  report.energies = model_->energies(next, end.value);
  report.min_jacobian = model_->min_jacobian(next);
  if (report.error && model_->full_space())  // the last step may come after the estimate
    report.error->motion =
        parallel_sum(system_->dynamic_count, [&](std::size_t i) { return (next.x.col(i) - state_.x.col(i)).norm(); }) /
        std::max<Index>(1, system_->dynamic_count);
  std::optional<Points> reaction;
  if (model_->full_space()) reaction = model_->reactions(next, {});
  // Where it started there: positions from outside that were projected, for instance.
  if (!model_->full_space() && !(report.energies.elastic < forever) && (!report.failed() || report.reason.empty()))
    fail(Cause::inversion_filter, "a tet is inverted or flat, which its material does not allow", end.x, report);
  check_finite(next, reaction, report);

  for (const std::string& event : report.warnings) log::warning("step {}: {}", report.step, event);
  if (!report.failed()) limit_ = -1;
  std::swap(state_, next);
  lifted_.reset();
  reaction_ = std::move(reaction);
  energies_ = report.energies;
  prepared_ = made_step_ = true;
  report.seconds.collision = potential().collision_seconds;
  report.seconds.assembly = potential().assembly_seconds;
  report.seconds.steps = total.seconds();
  return report;
}

// The minimisation of a whole step, from first parts on; in smaller ones if it fails. The last of several begins at
// `part`.
void Stepper::solve_step(int first, std::optional<State>& part, Solution& at, StepReport& report) {
  if (first == 1) {
    solve(state_, end_of_step(*system_, state_), 1, at, report);
    check_statics(at.x, report);
  }
  if (first > 1) {
    solve_time_step(first, true, part.emplace(state_), at, report);
  } else if (may_divide(report)) {
    part.emplace(state_);
    if (context().inertia)
      solve_time_step(2, false, *part, at, report);
    else
      solve_load_step(*part, at, report);
  }
}

// Minimises E of the step, or of a share of it, from a state to a time. The report says whether that converged.
void Stepper::solve(const State& from, double end, double share, Solution& at, StepReport& report) {
  model_->prepare(from, end, share * system_->setup.time.step);
  hold_.begin(*system_, model_->full_space(), from.x);
  at.x = from.x;
  at.planes = from.planes;
  if (bolts_.begin(context(), from.time)) model_->set_shortening(bolts_.predict(model_->bolt_forces(at.x)));
  model_->start(at.x, at.planes);
  at.value = minimize_with_lagging(at.x, at.planes, report);
  leave_unstable(at, report);
}

// next: the state at the end of what was solved last.
void Stepper::finish(const State& from, const Solution& at, StepReport& report, State& next) {
  model_->end_step();
  const DescentDirection& direction = model_->direction();
  if (!direction.fallback().empty()) report.fallback = direction.fallback();
  if (const auto ended = direction.end_report(); ended && report.adaptive) report.adaptive->add(*ended);
  model_->finish(from, at.x, at.planes, next);
  if (!report.failed()) model_->release(next, report.warnings);
  if (!report.converged) model_->leave_out_residual(next);
}

// Whether prescribed motion or loads may do work on the bodies in the step that starts at x.
bool Stepper::moved_from_outside(const Points& x) {
  const auto& s = *system_;
  std::vector<PlaneState> planes = context().plane_start;
  Points d;
  if (potential().displacement_to_target(x, planes, d).remaining > 0) return true;
  if (plane_numbers(context().plane_start) != plane_numbers(context().plane_end) || !s.loads.empty()) return true;
  if (s.setup.spin || !s.bolts.empty()) return true;
  if (moves_fibers(s)) return true;
  const auto moves = [](const Spring& spring) { return spring.motion >= 0 || !spring.length_keys.empty(); };
  return std::any_of(s.springs.begin(), s.springs.end(), moves) ||
         std::any_of(s.bodies.begin(), s.bodies.end(), [](const SystemBody& body) {
           return !body.acceleration.isZero(0) || !body.acceleration_keys.empty();
         });
}

// Penalty forces that a budget of iterations leaves out of balance could throw bodies away.
bool Stepper::may_gain(const StepReport& report) {
  return report.budget && !potential().contact().filters() && potential().contact().may_touch();
}

// Keeps a step from a state that did not converge from adding energy. Such a step ends where E is lower than at its
// start, which still allows the kinetic energy to grow many times. Where nothing does work on the bodies from outside,
// the step is shortened along the straight line from its start, by halves, until the total energy does not grow by more
// than a change of all velocities by the tolerance may change it: sum_i m_i tol (|v_i| + tol), which is at most
// tol sqrt(2 m E_kin) + m tol^2 for the mass m of all bodies.
PotentialValue Stepper::without_gain(const State& from, Points& x, const std::vector<PlaneState>& planes,
                                     PotentialValue value, StepReport& report) {
  if (!context().inertia || model_->is_curved() || moved_from_outside(from.x)) return value;
  const auto energy = [&](const State& state, const PotentialValue& at) {
    const Energies e = model_->energies(state, at);
    return e.kinetic + e.elastic + e.gravity + e.barrier + e.springs;
  };
  potential().set_contacts(from.x, from.planes);
  const PotentialValue start = potential().value(from.x);
  const double before = energy(from, start);
  const double tolerance = system_->setup.solver.tolerance;
  const double mass = parallel_sum(system_->mass.size(), [&](std::size_t i) { return system_->mass[i]; });
  const double worth = tolerance * (std::sqrt(2 * mass * model_->energies(from, start).kinetic) + mass * tolerance);
  const Points displacement = x - from.x;
  constexpr int most_halvings = 30;
  double part = 1;
  for (int halving = 0; halving <= most_halvings; ++halving, part *= 0.5) {
    if (part < 1) {
      const Points motion = part * displacement;
      potential().set_contacts(from.x, from.planes);
      Points d;
      potential().direction_between(from.x, from.x + motion, d);
      if (potential().max_step(from.x, d, planes) < 1) continue;
      x = from.x + motion;
    }
    potential().set_contacts(x, planes);
    value = potential().value(x);
    model_->finish(from, x, planes, next_);
    if (energy(next_, value) <= before + worth) break;
  }
  if (part < 1 && report.failed())
    report.reason += fmt::format("; the step keeps {:.2g} of its motion, up to which the energy does not grow", part);
  return value;
}

// Fixed-point iteration over lagged terms: minimise E with friction forces lagged at the last solution, lag them anew,
// until they obey Coulomb's law within the tolerance or the rounds are used up (IPC, section 5). In dynamics, where the
// scene leaves their number open, the one minimisation lags friction as it goes. In statics until
// nothing but contact and friction holds bodies, too.
PotentialValue Stepper::minimize_with_lagging(Points& x, std::vector<PlaneState>& planes, StepReport& report) {
  const FrictionRounds rounds = friction_rounds(*system_);
  const auto check = [this] {
    if (interrupted_ && interrupted_()) throw Interrupted("the step was interrupted");
  };
  PotentialValue value;
  const int most = rounds.automatic ? 1 : rounds.most;
  for (int round = 0;;) {
    MinimizeReport result = minimizer_.minimize(potential(), model_->direction(), x, planes, check);
    if (result.failed())
      result.diagnosis = model_->diagnose(x, minimizer_.last_direction(), minimizer_.settings(), result);
    value = result.value;
    fill_report(result, report);
    report.friction_iterations = round + result.friction_rounds;
    if (result.failed()) break;
    if (change_shortening(x, report)) continue;
    if (report.failed()) break;
    const double friction = rounds.automatic ? result.friction_error : potential().friction_error(x);
    // What a next step corrects is not lagged anew, nor missed.
    report.friction_residual = rounds.automatic ? friction : std::max(friction, potential().lagging_change(x));
    report.friction_converged = report.friction_residual <= rounds.tolerance;
    const bool last = round + 1 >= most;
    const bool released = hold_.released(x, system_->setup.solver.force_tolerance);
    if ((report.friction_converged || last) && released) break;
    if (!released && (round + 1 >= StaticHold::most_rounds || hold_.lost(x))) {
      fail_unheld(x, report);
      break;
    }
    if (!last) potential().update_lagged(x);
    if (!released) hold_.next_round(x);
    model_->direction().lagged_anew();
    ++round;
  }
  hold_.release();
  if (is_unsettled(report, *system_)) fail(Cause::unsettled_friction, unsettled_text(report, *system_), x, report);
  return value;
}

// Whether forces of bolts have not settled, so that the minimisation is repeated with another shortening. Where a bolt
// does not reach its force the report has failed.
bool Stepper::change_shortening(const Points& x, StepReport& report) {
  if (!report.converged || !bolts_.keep_force()) return false;
  const std::vector<BoltForce> forces = model_->bolt_forces(x);
  std::vector<double> shortening = bolts_.next(forces);
  if (shortening.empty()) return false;
  if (bolts_.rounds() >= BoltRounds::most_rounds || shortening == context().shortening) {
    fail(Cause::unsettled_bolt, bolts_.lack(forces), x, report);
    return false;
  }
  model_->set_shortening(std::move(shortening));
  model_->direction().lagged_anew();
  return true;
}

// A load step that ends while some body goes on: nothing holds it against its load.
void Stepper::fail_unheld(const Points& x, StepReport& report) {
  fail(Cause::free_motion,
       fmt::format(
           "body '{}' slides or turns away: fixed vertices, contact and friction do not hold it against its load",
           system_->bodies[hold_.pulled_body(x)].name),
       x, report);
}

// Ends a step at x without convergence, for a reason that the minimisation does not see.
void Stepper::fail(Cause cause, std::string reason, const Points& x, StepReport& report) {
  MinimizeReport end;
  end.cause = cause;
  end.reason = std::move(reason);
  end.residual = report.residual;
  end.iterations = report.newton_iterations;
  end.line_search_steps = report.line_search_steps;
  end.stiffness_before = potential().contact().stiffness();
  report.converged = report.budget = false;
  report.reason = end.reason;
  Points none;
  potential().direction_between(x, x, none);
  report.diagnosis = model_->diagnose(x, none, settings_(*system_), end);
}

// Throws where a load step failed or a body flew off because nothing holds it: a clearer message than that of a failed
// factorisation.
void Stepper::check_statics(const Points& x, const StepReport& report) {
  if (context().inertia) return;
  // Far from the origin rounding hides unbalanced forces, so a body that flies off may look converged.
  const double travel = potential().motion(x).max * context().step;
  const bool flown_off = !(travel < far_away * system_->diagonal);
  if (!report.failed() && !flown_off) return;
  // Contacts of a body that flew off with itself do not hold it; those of a subspace are not of vertices.
  const std::vector<ContactStencil> none;
  const IncrementalPotential* full = model_->full_space();
  refuse_free_pieces(*system_, context().time_end, flown_off || !full ? none : full->contact().contacts(),
                     context().ties.get());
}

// Throws for failures that every later step would repeat: a singular matrix in the first iteration, or overflow.
void Stepper::check_advance(const StepReport& report) const {
  if (!report.failed() || !report.diagnosis) return;
  const bool stuck = report.diagnosis->cause == Cause::singular && report.newton_iterations == 0;
  if (!stuck && report.diagnosis->cause != Cause::not_finite) return;
  throw SimulationError(code::step_failed, fmt::format("step {} cannot be computed: {}{}", state_.step + 1,
                                                       report.reason, details_text(*report.diagnosis)));
}

// Refuses a next state with an infinite or undefined number, and names the quantity and the place.
void Stepper::check_finite(const State& next, const std::optional<Points>& reaction, const StepReport& report) const {
  const auto refuse = [&](const std::string& what) {
    throw SimulationError(code::not_finite,
                          fmt::format("step {} cannot be computed: {} not finite; check units, stiffnesses, loads and "
                                      "velocities (sinew check names suspicious ones), or take a smaller time.step",
                                      next.step, what));
  };
  const bool full = model_->full_space() != nullptr;
  const auto check = [&](const Points& values, const char* what) {
    for (Index i = 0; i < values.cols(); ++i) {
      if (values.col(i).allFinite()) continue;
      if (!full) refuse(fmt::format("a {} is", what));
      refuse(fmt::format("the {} of {} at {} is", what, vertex_text(*system_, i), place_text(state_.x.col(i))));
    }
  };
  check(next.x, "position");
  check(next.v, "velocity");
  if (reaction) check(*reaction, "reaction force");
  const Energies& e = report.energies;
  const std::pair<const char*, double> numbers[] = {
      {"the kinetic energy", e.kinetic},        {"the gravity energy", e.gravity},
      {"the contact energy", e.barrier},        {"the friction energy", e.friction},
      {"the energy of the springs", e.springs}, {"the smallest Jacobian", report.min_jacobian}};
  // A subspace may have begun with an inverted tet, of which the elastic energy is infinite.
  if (full && !std::isfinite(e.elastic)) refuse("the elastic energy is");
  for (const auto& [what, number] : numbers)
    if (!std::isfinite(number)) refuse(fmt::format("{} is", what));
}

// The contacts of the potential become those of the state, and E that of a step.
void Stepper::stand() {
  if (!prepared_) {
    // Without history: friction and damping are those of a step in which nothing has moved yet.
    State still = state_;
    sinew::drop_history(still);
    model_->prepare(still, end_of_step(*system_, still), system_->setup.time.step);
  }
  prepared_ = true;
  potential().set_contacts(state_.x, state_.planes);
}

// The energies of the present state. The contacts of the potential are then those of the state.
Energies Stepper::energies() {
  if (energies_) return *energies_;
  stand();
  return *(energies_ = model_->energies(state_, potential().value(state_.x)));
}

std::optional<StateError> Stepper::error(const StepReport& report) {
  if (!model_->full_space() && !made_step_) return {};
  energies();  // contacts at the state
  return model_->error(state_, report);
}

std::optional<FullGradient> Stepper::full_gradient() {
  if (!made_step_) return {};
  energies();  // contacts at the state
  return model_->full_gradient(state_);
}

// The forces of all terms in a subspace, of which others are made; in full space others need none.
std::vector<TermForce> Stepper::subspace_terms() {
  energies();  // contacts at the state
  return model_->full_space() ? std::vector<TermForce>() : model_->term_forces(state_);
}

NodalForces Stepper::forces() {
  return forces(subspace_terms());
}

std::pair<NodalForces, std::optional<NamedForces>> Stepper::all_forces() {
  energies();  // contacts at the state
  const std::vector<TermForce> terms = model_->term_forces(state_);
  std::optional<NamedForces> named;
  if (system_->skins.empty()) named = sinew::named_forces(*system_, context(), terms, made_step_);
  return {forces(terms), std::move(named)};
}

NodalForces Stepper::forces(const std::vector<TermForce>& terms) {
  energies();  // contacts at the state
  NodalForces forces = model_->forces(state_, terms);
  forces.reaction = reactions(terms);
  forces.mean_contact = mean_contact_.cols() > 0 ? mean_contact_ : Points(forces.contact + forces.friction);
  for (Points* force : {&forces.elastic, &forces.contact, &forces.friction, &forces.reaction, &forces.mean_contact})
    *force = system_->forces_on_shown(*force);
  return forces;
}

const Points& Stepper::reactions() {
  return reactions(reaction_ ? std::vector<TermForce>() : subspace_terms());
}

const Points& Stepper::reactions(const std::vector<TermForce>& terms) {
  energies();  // contacts at the state
  if (!reaction_)
    reaction_ = made_step_ ? model_->reactions(state_, terms) : Points(Points::Zero(3, system_->dynamic_count));
  return *reaction_;
}

Points Stepper::tie_forces() {
  energies();  // contacts at the state
  return made_step_ && !system_->ties.empty() ? model_->tie_forces(state_) : Points(3, 0);
}

std::vector<BoltForce> Stepper::bolt_forces() {
  energies();  // the states of materials are those of the state
  return model_->bolt_forces(state_.x);
}

std::vector<const LoadEnergy*> Stepper::load_terms() {
  reactions();
  return made_step_ ? model_->load_terms() : std::vector<const LoadEnergy*>();
}

std::vector<ContactForce> Stepper::contact_forces() {
  energies();  // contacts at the state
  return model_->contact_forces(state_);
}

std::vector<ContactRow> Stepper::contact_rows() {
  energies();  // contacts at the state
  return model_->contact_rows(state_);
}

std::optional<NamedForces> Stepper::named_forces() {
  if (!system_->skins.empty()) return {};
  energies();  // contacts at the state
  return sinew::named_forces(*system_, context(), model_->term_forces(state_), made_step_);
}

// Materials get their history and their initial strain when a step begins; a run that has just begun has none yet.
void Stepper::stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) {
  const auto strained = [](const ElasticGroup& group) { return group.initial_stretch.cols() > 0; };
  const bool changes = !state_.material_history.empty() || moves_fibers(*system_);
  if (!prepared_ && (changes || std::ranges::any_of(system_->groups, strained))) stand();
  model_->stress(state_, cauchy, von_mises);
}

std::vector<double> Stepper::energy_density() {
  energies();  // the states of materials are those of the state
  std::vector<double> density(static_cast<std::size_t>(system_->tet_count()), 0.0);
  const auto elastic = static_cast<std::size_t>(system_->elastic_tet_count());
  if (elastic > 0) model_->energy_density(state_, std::span(density).first(elastic));
  return density;
}

// Tets of material mass_spring have no energy density; F is that of their edges.
std::vector<double> Stepper::deformation_gradients() {
  const System& s = *system_;
  std::vector<double> F(std::size_t{9} * s.tet_count());
  const std::size_t elastic = std::size_t{9} * s.elastic_tet_count();
  if (elastic > 0) model_->deformation_gradients(state_, std::span(F).first(elastic));
  if (elastic == F.size()) return F;
  const Points& x = sample().x;
  for (Index t = s.elastic_tet_count(); t < s.tet_count(); ++t) {
    Mat3 now, rest;
    for (int k = 0; k < 3; ++k) {
      now.col(k) = x.col(s.tets(k + 1, t)) - x.col(s.tets(0, t));
      rest.col(k) = s.rest.col(s.tets(k + 1, t)) - s.rest.col(s.tets(0, t));
    }
    Eigen::Map<Mat3>(F.data() + std::size_t{9} * t) = (now * rest.inverse()).transpose();
  }
  return F;
}

void Stepper::save(ArchiveWriter& archive, bool full_space) const {
  model_->save(archive, state_);
  if (limit_ >= 0) archive.write("statics/limit", limit_);
  bolts_.save(archive);
  if (path_) path_->save(archive);
  if (!model_->full_space()) {
    if (!full_space) {
      if (const ReducedBasis* basis = subspace()) archive.write("state/basis", basis->identity);
      return;
    }
    archive.write("state/x", sample().x);
    archive.write("state/v", sample().v);
  } else {
    archive.write("state/reaction", reaction_ ? *reaction_ : Points(Points::Zero(3, system_->dynamic_count)));
  }
}

void Stepper::load(const ArchiveReader& archive) {
  std::optional<Points> reaction;
  if (model_->full_space()) {
    reaction = archive.points("state/reaction");
    if (reaction->cols() != system_->dynamic_count || !reaction->allFinite()) refuse_damaged();
  }
  state_ = model_->load(archive);
  forget();
  reaction_ = std::move(reaction);
  bolts_.load(archive);
  if (path_) path_->load(archive);
  if (archive.has("statics/limit")) limit_ = archive.scalar("statics/limit");
}

}  // namespace sinew
