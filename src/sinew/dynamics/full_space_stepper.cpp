#include "sinew/dynamics/full_space_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/full_space_error.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/plane_numbers.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/dynamics/time_rule.h"
#include "sinew/model/naming.h"
#include "sinew/potential/friction_rounds.h"
#include "sinew/solver/gap_opening.h"

namespace sinew {
namespace {

// A body that travels further than this many diagonals of the scene in a load step has no equilibrium.
constexpr double far_away = 1e4;
// Liu, Bouaziz and Kavan 2017, section 4.1.
constexpr double quasi_newton_armijo = 0.3;

[[noreturn]] void fail_damaged() {
  fail_input("the checkpoint's state is not one that a step leaves: it is damaged; start the run anew");
}

// All sizes are those of x and planes, or none for the history, and all numbers are finite.
void require_whole(const State& state) {
  const auto n = state.x.cols(), previous = state.x_previous.cols();
  const bool history = previous != 0;
  if (state.v.cols() != n || (history && previous != n) || state.v_previous.cols() != previous) fail_damaged();
  if ((state.a.cols() != 0 && state.a.cols() != n) || !state.a.allFinite()) fail_damaged();
  if (!state.x.allFinite() || !state.v.allFinite() || !state.x_previous.allFinite() || !state.v_previous.allFinite() ||
      !std::isfinite(state.time) || !std::isfinite(state.start_time))
    fail_damaged();
  if (history && state.planes_previous.size() != state.planes.size()) fail_damaged();
  if (!std::isfinite(state.previous_step) || state.previous_step < 0) fail_damaged();
  for (const auto* planes : {&state.planes, &state.planes_previous}) {
    for (const double value : plane_numbers(*planes)) {
      if (!std::isfinite(value)) fail_damaged();
    }
  }
}

}  // namespace

// Tolerances and bounds of a step; methods with a budget of iterations have their own Armijo constant.
MinimizerSettings FullSpaceStepper::minimizer_settings(const System& system) {
  MinimizerSettings settings = common_settings(system);
  // Else rounds are minimisations of their own (minimize_with_lagging).
  const FrictionRounds rounds = friction_rounds(system);
  if (rounds.automatic) {
    settings.friction_rounds = rounds.most;
    settings.friction_tolerance = rounds.tolerance;
  }
  const SolverSetup& solver = system.setup.solver;
  const std::string method = resolved_method(solver);
  if (method == "auto" || !find_method(method).uses("quasi_newton")) return settings;
  settings.budget = iteration_budget(solver);
  settings.line_search.armijo = quasi_newton_armijo;
  settings.line_search.enabled = solver.quasi_newton.line_search;
  return settings;
}

FullSpaceStepper::FullSpaceStepper(std::shared_ptr<const System> system, std::unique_ptr<FullSpaceDirection> direction)
    : system_(system),
      direction_(std::move(direction)),
      potential_(system),
      minimizer_(minimizer_settings(*system)),
      state_(initial_state(*system)) {
  reaction_.setZero(3, system_->dynamic_count);
}

StateLoss FullSpaceStepper::replace(State state) {
  state_ = std::move(state);
  stepped_ = false;
  limit_ = -1;
  energies_.reset();
  reaction_.setZero();
  mean_contact_.resize(3, 0);
  return {};
}

void FullSpaceStepper::adapt(Change change) {
  energies_.reset();
  potential_.adapt(change);
  direction_->adapt(change);
  if (estimator_) estimator_->adapt(change);
  minimizer_.set(minimizer_settings(*system_));
  if (change != Change::materials) return;
  if (system_->automatic_stiffness) state_.contact_stiffness = system_->contact_stiffness;
}

void FullSpaceStepper::set_clock(int step, double start_time) {
  state_.step = step;
  state_.start_time = start_time;
}

// One step: predictor and contacts, the minimisation of E with rounds of lagged friction, checks, and the integrator's
// update. The state is replaced last, so that a step that throws leaves it as it was.
StepReport FullSpaceStepper::advance() {
  Stopwatch total;
  const TimeSetup& time = system_->setup.time;
  if (time.integrator == Integrator::statics && state_.step >= time.steps)
    fail_input("all {} load steps are done: the whole load is on (time.steps)", time.steps);
  StepReport report;
  energies_.reset();
  potential_.collision_seconds = potential_.assembly_seconds = 0;
  minimizer_.set(minimizer_settings(*system_));
  mean_contact_.resize(3, 0);
  const int first = std::exchange(first_parts_, 1);
  // The minimisation proper; all that follows checks and accepts its result.
  Solution end;
  if (first == 1) {
    end = solve(state_, end_of_step(*system_, state_), 1, report);
    check_statics(end.x, report);
  }
  std::optional<State> part;  // where the last of several parts of the step begins
  if (first > 1) {
    end = solve_time_step(first, part.emplace(state_), report);
  } else if (may_divide(report)) {
    part.emplace(state_);
    end = context_.inertia ? solve_time_step(2, *part, report) : solve_load_step(*part, report);
  }
  const State& from = part ? *part : state_;
  if (report.failed() || may_gain(report)) end.value = without_gain(from, end.x, end.planes, end.value, report);
  if (part) check_statics(end.x, report);
  check_advance(report);
  if (!report.converged) report.error = direction_->error(end.x);

  // The state changes only when everything about the next one is known to be finite.
  State next = finish(from, end, report);
  report.step = next.step;
  report.time = next.time;
  report.contacts = static_cast<long>(potential_.contact().contacts().size());
  report.min_distance = potential_.contact().min_distance();
  if (system_->elastic_tet_count() > 0) report.min_jacobian = potential_.elastic().min_jacobian(next.x);
  report.contact_stiffness = next.contact_stiffness;
  report.energies = energies_of(next, end.value);
  if (report.error)  // the last step may come after the estimate
    report.error->motion =
        parallel_sum(system_->dynamic_count, [&](std::size_t i) { return (next.x.col(i) - state_.x.col(i)).norm(); }) /
        std::max<Index>(1, system_->dynamic_count);
  Points reaction = reactions(next.x);
  check_finite(next, reaction, report);

  if (!report.failed()) limit_ = -1;
  state_ = std::move(next);
  reaction_ = std::move(reaction);
  energies_ = report.energies;
  stepped_ = true;
  report.seconds.collision = potential_.collision_seconds;
  report.seconds.assembly = potential_.assembly_seconds;
  report.seconds.steps = total.seconds();
  return report;
}

// Minimises E of the step, or of a share of it, from a state to a time. The report says whether that converged.
FullSpaceStepper::Solution FullSpaceStepper::solve(const State& from, double end, double share, StepReport& report) {
  prepare_step(*system_, from, end, share * system_->setup.time.step, context_);
  potential_.begin_step(context_, from.contact_stiffness);
  hold_.begin(*system_, potential_, from.x);
  direction_->begin_step(context_, potential_);
  Solution solution{from.x, from.planes, {}};
  if (open_gaps(potential_, solution.x, solution.planes)) potential_.update_lagged(solution.x);
  if (direction_->starts_at_predictor() && context_.inertia) go_to_predictor(solution.x, solution.planes);
  solution.value = minimize_with_lagging(solution.x, solution.planes, report);
  leave_unstable(solution, report);
  return solution;
}

// The state at the end of what was solved last.
State FullSpaceStepper::finish(const State& from, const Solution& end, StepReport& report) {
  direction_->end_step();
  if (!direction_->fallback().empty()) report.fallback = direction_->fallback();
  if (const auto ended = direction_->end_report(); ended && report.adaptive) report.adaptive->add(*ended);
  State next = from;
  finish_step(*system_, context_, end.x, end.planes, kick(end.x), next);
  if (!report.converged) leave_out_residual(next);
  next.contact_stiffness = potential_.contact().stiffness();
  return next;
}

// Starts at the filtered predictor (QN, algorithm 1, starts at x~ itself; J > 0 and the barrier need the filter):
//   x <- x + alpha (x~ - x),  alpha the largest step that filters allow,
// if E is lower there and no contact is active, since nearly closed gaps make a bad start. Prescribed coordinates are
// moved by the iterations.
void FullSpaceStepper::go_to_predictor(Points& x, const std::vector<PlaneState>& planes) {
  const Index n = system_->dynamic_count;
  Points way = Points::Zero(3, x.cols());
  parallel_for(
      n,
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k)
          if (!context_.fixed[3 * i + k]) way(k, i) = context_.predictor(k, i) - x(k, i);
      },
      4096);
  const double before = potential_.value(x).total();
  const double alpha = potential_.max_step(x, way, planes);
  way = x + alpha * way;
  potential_.set_contacts(way, planes);
  if (potential_.contact().contacts().empty() && potential_.value(way).total() < before) {
    x.swap(way);
  } else {
    potential_.set_contacts(x, planes);
  }
}

// Whether prescribed motion or loads may do work on the bodies in this step.
bool FullSpaceStepper::moved_from_outside() const {
  const auto& s = *system_;
  for (Index i = 0; i < s.dynamic_count; ++i)
    for (int k = 0; k < 3; ++k)
      if (context_.fixed[3 * static_cast<std::size_t>(i) + k] && context_.target(k, i) != context_.start(k, i))
        return true;
  const Index obstacles = s.vertex_count() - s.dynamic_count;
  if (context_.target.rightCols(obstacles) != context_.start.rightCols(obstacles)) return true;
  if (plane_numbers(context_.plane_start) != plane_numbers(context_.plane_end) || !s.loads.empty()) return true;
  return std::any_of(s.springs.begin(), s.springs.end(), [](const Spring& spring) { return spring.motion >= 0; }) ||
         std::any_of(s.bodies.begin(), s.bodies.end(), [](const SystemBody& body) {
           return !body.acceleration.isZero(0) || !body.acceleration_keys.empty();
         });
}

// Penalty forces that a budget of iterations leaves out of balance could throw bodies away.
bool FullSpaceStepper::may_gain(const StepReport& report) const {
  return report.budget && !potential_.contact().filters() && potential_.contact().may_touch();
}

// Keeps a step from a state that did not converge from adding energy. Such a step ends where E is lower than at its
// start, which still allows the kinetic energy to grow many times. Where nothing does work on the bodies from outside,
// the step is shortened along the straight line from its start, by halves, until the total energy does not grow by more
// than a change of all velocities by the tolerance would change it: sum_i m_i tol (|v_i| + tol).
PotentialValue FullSpaceStepper::without_gain(const State& from, Points& x, const std::vector<PlaneState>& planes,
                                              PotentialValue value, StepReport& report) {
  if (!context_.inertia || moved_from_outside()) return value;
  const auto energy = [&](const State& state, const PotentialValue& at) {
    const Energies e = energies_of(state, at);
    return e.kinetic + e.elastic + e.gravity + e.barrier + e.springs;
  };
  potential_.set_contacts(from.x, from.planes);
  const double before = energy(from, potential_.value(from.x));
  const double tolerance = system_->setup.solver.tolerance;
  const double worth = parallel_sum(system_->dynamic_count, [&](std::size_t i) {
    return system_->mass[i] * tolerance * (from.v.col(i).norm() + tolerance);
  });
  const Points way = x - from.x;
  constexpr int most_halvings = 30;
  double part = 1;
  for (int halving = 0; halving <= most_halvings; ++halving, part *= 0.5) {
    if (part < 1) {
      const Points motion = part * way;
      potential_.set_contacts(from.x, from.planes);
      if (potential_.max_step(from.x, motion, planes) < 1) continue;
      x = from.x + motion;
    }
    potential_.set_contacts(x, planes);
    value = potential_.value(x);
    State next = from;
    finish_step(*system_, context_, x, planes, kick(x), next);
    if (energy(next, value) <= before + worth) break;
  }
  if (part < 1 && report.failed())
    report.reason += fmt::format("; it is cut to {:.2g} of its way, where energy does not grow", part);
  return value;
}

// Fixed-point iteration over lagged terms: minimise E with friction forces lagged at the last solution, lag them anew,
// until they obey Coulomb's law within the tolerance or the rounds are used up (IPC, section 5). In dynamics, where the
// scene leaves their number open, the one minimisation lags friction as it goes. In statics until
// nothing but contact and friction holds bodies, too.
PotentialValue FullSpaceStepper::minimize_with_lagging(Points& x, std::vector<PlaneState>& planes, StepReport& report) {
  const FrictionRounds rounds = friction_rounds(*system_);
  const auto check = [this] {
    if (interrupted()) throw Interrupted("the step was interrupted");
  };
  PotentialValue value;
  const int most = rounds.automatic ? 1 : rounds.most;
  for (int round = 0;; ++round) {
    MinimizeReport result = minimizer_.minimize(potential_, *direction_, x, planes, check);
    if (result.failed())
      result.diagnosis = diagnose(potential_, x, minimizer_.last_direction(), minimizer_.settings(), result);
    value = result.value;
    fill_report(result, report);
    report.friction_iterations = round + result.friction_rounds;
    if (result.failed()) break;
    const double friction = rounds.automatic ? result.friction_error : potential_.friction_error(x);
    report.friction_residual = std::max(friction, potential_.lagging_change(x));
    report.friction_converged = report.friction_residual <= rounds.tolerance;
    const bool last = round + 1 >= most;
    const bool released = hold_.released(potential_, x, system_->setup.solver.force_tolerance);
    if ((report.friction_converged || last) && released) break;
    if (!released && (round + 1 >= StaticHold::most_rounds || hold_.lost(potential_, x))) {
      fail_unheld(x, report);
      break;
    }
    if (!last) potential_.update_lagged(x);
    if (!released) hold_.next_round(potential_, x);
  }
  potential_.pseudo_inertia().release();
  if (is_unsettled(report, *system_)) fail(Cause::unsettled_friction, unsettled_text(report, *system_), x, report);
  return value;
}

// A load step that ends while some body goes on: nothing holds it against its load.
void FullSpaceStepper::fail_unheld(const Points& x, StepReport& report) const {
  fail(Cause::free_motion,
       fmt::format("body '{}' slides or turns away: neither what is fixed nor contact and friction hold it against its "
                   "load",
                   system_->bodies[hold_.pulled_body(potential_, x)].name),
       x, report);
}

// Ends a step at x without convergence, for a reason that the minimisation does not see.
void FullSpaceStepper::fail(Cause cause, std::string reason, const Points& x, StepReport& report) const {
  MinimizeReport end;
  end.cause = cause;
  end.reason = std::move(reason);
  end.residual = report.residual;
  end.iterations = report.newton_iterations;
  end.line_search_steps = report.line_search_steps;
  end.stiffness_before = potential_.contact().stiffness();
  report.converged = report.budget = false;
  report.reason = end.reason;
  report.diagnosis = diagnose(potential_, x, Points::Zero(3, x.cols()), minimizer_settings(*system_), end);
}

// Throws where a load step failed or a body flew off because nothing holds it: a clearer message than that of a failed
// factorisation.
void FullSpaceStepper::check_statics(const Points& x, const StepReport& report) const {
  if (context_.inertia) return;
  // Far from the origin rounding hides unbalanced forces, so a body that flies off may look converged.
  const double travel = parallel_max(system_->dynamic_count, 0.0,
                                     [&](std::size_t i) { return (x.col(i) - context_.start.col(i)).norm(); });
  const bool flown_off = !(travel < far_away * system_->diagonal);
  if (!report.failed() && !flown_off) return;
  // Contacts of a body that flew off with itself do not hold it.
  const std::vector<ContactStencil> none;
  refuse_free_pieces(*system_, context_.time_end, flown_off ? none : potential_.contact().contacts());
}

// Throws for failures that every later step would repeat: a singular matrix in the first iteration, or overflow.
void FullSpaceStepper::check_advance(const StepReport& report) const {
  if (!report.failed() || !report.diagnosis) return;
  const bool stuck = report.diagnosis->cause == Cause::singular && report.newton_iterations == 0;
  if (!stuck && report.diagnosis->cause != Cause::not_finite) return;
  throw SimulationError(
      fmt::format("step {} cannot be computed: {}{}", state_.step + 1, report.reason, details_text(*report.diagnosis)));
}

// Refuses a next state with an infinite or undefined number, and names the quantity and the place.
void FullSpaceStepper::check_finite(const State& next, const Points& reaction, const StepReport& report) const {
  const auto refuse = [&](const std::string& what) {
    throw SimulationError(
        fmt::format("step {} cannot be computed: {} not finite; check units, stiffnesses, loads and velocities (sinew "
                    "check names odd ones), or take a smaller time.step",
                    next.step, what));
  };
  const auto check = [&](const Points& values, const char* what) {
    for (Index i = 0; i < values.cols(); ++i) {
      if (values.col(i).allFinite()) continue;
      refuse(fmt::format("the {} of {} at {} is", what, vertex_text(*system_, i), place_text(state_.x.col(i))));
    }
  };
  check(next.x, "position");
  check(next.v, "velocity");
  check(reaction, "reaction force");
  const Energies& e = report.energies;
  const std::pair<const char*, double> numbers[] = {{"the kinetic energy", e.kinetic},
                                                    {"the elastic energy", e.elastic},
                                                    {"the gravity energy", e.gravity},
                                                    {"the contact energy", e.barrier},
                                                    {"the friction energy", e.friction},
                                                    {"the energy of the springs", e.springs},
                                                    {"the smallest Jacobian", report.min_jacobian}};
  for (const auto& [what, number] : numbers)
    if (!std::isfinite(number)) refuse(fmt::format("{} is", what));
}

// The displacement by contact and friction at x (time_rule.h); empty where there is none or no rule asks for it.
Points FullSpaceStepper::kick(const Points& x) const {
  if (!context_.inertia || !is_kicked(system_->setup.time)) return {};
  if (potential_.contact().contacts().empty() && !potential_.contact().has_friction()) return {};
  const Points force = potential_.force(EnergyKind::barrier, x) + potential_.force(EnergyKind::friction, x);
  Points kick = Points::Zero(3, x.cols());
  parallel_for(system_->dynamic_count, [&](std::size_t i) {
    for (int k = 0; k < 3; ++k)
      if (!context_.fixed[3 * i + k]) kick(k, i) = context_.contact_scale() / system_->mass[i] * force(k, i);
  });
  return kick;
}

// Newmark's acceleration is that of the bodies' forces, a = M^{-1} f_body(x). The rule makes it of positions
// (time_rule.h), and with it of what forces lack to balance, M^{-1} grad E / scale: a step that ends before they do
// would push once more in the next one.
void FullSpaceStepper::leave_out_residual(State& next) {
  if (!context_.inertia || !is_kicked(system_->setup.time)) return;
  Points g;
  potential_.gradient(next.x, g);
  parallel_for(system_->dynamic_count, [&](std::size_t i) {
    for (int k = 0; k < 3; ++k)
      if (!context_.fixed[3 * i + k]) next.a(k, i) -= g(k, i) / (context_.scale * system_->mass[i]);
  });
}

// Reactions of prescribed coordinates: grad E / (a h^2) there, in which contact counts once.
Points FullSpaceStepper::reactions(const Points& x) const {
  Points g, reaction(3, system_->dynamic_count);
  potential_.gradient(x, g);
  if (context_.contact_factor != 1)
    g += (context_.contact_scale() - context_.scale) *
         (potential_.force(EnergyKind::barrier, x) + potential_.force(EnergyKind::friction, x));
  parallel_for(system_->dynamic_count, [&](std::size_t i) {
    for (int k = 0; k < 3; ++k) reaction(k, i) = context_.fixed[3 * i + k] ? g(k, i) / context_.scale : 0.0;
  });
  return reaction;
}

// The energies [J] of a state, at which the potential has the given value: kinetic 1/2 sum m_i |v_i|^2, gravity
// -sum m_i g . x_i, and the terms of E without a h^2.
Energies FullSpaceStepper::energies_of(const State& state, const PotentialValue& value) const {
  Energies energies;
  const Index n = system_->dynamic_count;
  energies.kinetic =
      0.5 * parallel_sum(n, [&](std::size_t i) { return system_->mass[i] * state.v.col(i).squaredNorm(); });
  energies.gravity =
      -parallel_sum(n, [&](std::size_t i) { return system_->mass[i] * system_->setup.gravity.dot(state.x.col(i)); });
  energies.elastic = value[EnergyKind::elastic] / context_.scale;
  energies.barrier = value[EnergyKind::barrier] / context_.contact_scale();
  energies.friction = value[EnergyKind::friction] / context_.contact_scale();
  energies.springs = value[EnergyKind::springs] / context_.scale;
  return energies;
}

// The energies of the present state. The contacts of the potential are then those of the state.
Energies FullSpaceStepper::energies() {
  if (energies_) return *energies_;
  if (!stepped_) {
    prepare_step(*system_, state_, context_);
    potential_.begin_step(context_, state_.contact_stiffness);
    stepped_ = true;
  }
  potential_.set_contacts(state_.x, state_.planes);
  return *(energies_ = energies_of(state_, potential_.value(state_.x)));
}

std::optional<StateError> FullSpaceStepper::error(const StepReport& report) {
  if (!wants_error(system_->setup.solver, report.step, false)) return {};
  energies();  // contacts at the state
  return direction_->error(state_.x);
}

NodalForces FullSpaceStepper::forces() {
  energies();  // contacts at the state
  NodalForces forces;
  forces.elastic = potential_.force(EnergyKind::elastic, state_.x);
  forces.contact = potential_.force(EnergyKind::barrier, state_.x);
  forces.friction = potential_.force(EnergyKind::friction, state_.x);
  forces.reaction = reaction_;
  forces.mean_contact = mean_contact_.cols() > 0 ? mean_contact_ : Points(forces.contact + forces.friction);
  return forces;
}

void FullSpaceStepper::stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) {
  const Index m = system_->tet_count();
  cauchy.setZero(6, m);
  von_mises.assign(m, 0.0);
  potential_.elastic().stress(state_.x, {cauchy.data(), static_cast<std::size_t>(cauchy.size())}, von_mises);
}

void FullSpaceStepper::save(ArchiveWriter& archive) const {
  archive.write("state/x", state_.x);
  archive.write("state/v", state_.v);
  archive.write("state/x_previous", state_.x_previous);
  archive.write("state/v_previous", state_.v_previous);
  archive.write("state/a", state_.a);
  archive.write("state/time", state_.time);
  archive.write("state/start_time", state_.start_time);
  archive.write("state/step", static_cast<std::int64_t>(state_.step));
  archive.write("state/planes", std::span<const double>(plane_numbers(state_.planes)));
  archive.write("state/planes_previous", std::span<const double>(plane_numbers(state_.planes_previous)));
  archive.write("state/reaction", reaction_);
  archive.write("contact_stiffness", state_.contact_stiffness);
  if (limit_ >= 0) archive.write("statics/limit", limit_);
  if (state_.previous_step > 0 && state_.previous_step != system_->setup.time.step)
    archive.write("state/previous_step", state_.previous_step);
  direction_->save(archive);
}

void FullSpaceStepper::load(const ArchiveReader& archive) {
  State state;
  state.x = archive.points("state/x");
  const std::vector<double> planes = archive.doubles("state/planes");
  if (state.x.cols() != system_->vertex_count() || planes.size() != 9 * system_->planes.size())
    fail_input("the checkpoint holds {} vertices and {} planes, the scene has {} and {}: it is of another scene",
               state.x.cols(), planes.size() / 9, system_->vertex_count(), system_->planes.size());
  state.v = archive.points("state/v");
  state.x_previous = archive.points("state/x_previous");
  state.v_previous = archive.points("state/v_previous");
  if (archive.has("state/a")) state.a = archive.points("state/a");
  state.time = archive.scalar("state/time");
  // Runs of versions that did not write it all started at 0.
  if (archive.has("state/start_time")) state.start_time = archive.scalar("state/start_time");
  // Where the last step was divided.
  if (archive.has("state/previous_step")) state.previous_step = archive.scalar("state/previous_step");
  const std::int64_t step = archive.integer("state/step");
  state.planes = planes_of_numbers(planes);
  state.planes_previous = planes_of_numbers(archive.doubles("state/planes_previous"));
  const Points reaction = archive.points("state/reaction");
  state.contact_stiffness = archive.scalar("contact_stiffness");
  require_whole(state);
  if (step < 0 || step > std::numeric_limits<int>::max() || reaction.cols() != system_->dynamic_count ||
      !reaction.allFinite() || !std::isfinite(state.contact_stiffness) || state.contact_stiffness < 0)
    fail_damaged();
  state.step = static_cast<int>(step);
  replace(std::move(state));
  reaction_ = reaction;
  if (archive.has("statics/limit")) limit_ = archive.scalar("statics/limit");
  direction_->load(archive);
}

}  // namespace sinew
