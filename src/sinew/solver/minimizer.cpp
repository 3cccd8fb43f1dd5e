#include "sinew/solver/minimizer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"

namespace sinew {
namespace {

// Newton's method converges quadratically near the solution: after an exact direction of up to this many tolerances the
// stop test's correction may be below one.
constexpr double correction_reach = 10;
// Iterations after which contacts that are held during line searches stay fixed for the rest of the step: nearest
// triangles, and with them normals, could change back and forth for ever.
constexpr int most_renewals = 20;
// Directions that see contacts tell the normal forces to come. Friction follows them where it is off by more than this
// share of its tolerance, in this share of solver.max_iterations; those left converge with friction as it is then.
constexpr double following_tolerance = 0.5, following_share = 0.5;
// With other directions friction is lagged anew this often before the iterations have converged, after directions of up
// to so many tolerances: the normal forces of earlier iterates are far from those at the end.
constexpr int early_rounds = 2;
constexpr double early_reach = 100;

// Rounds that leave more than this share of the last error are damped: they take this share of the new normal forces.
constexpr double contraction = 0.5, damped_share = 0.5;

// The smallest distance that the step filter keeps open; infinite without one.
double filtered_gap(const ContactModel& contact) {
  return contact.filters() ? contact.min_distance() : std::numeric_limits<double>::infinity();
}

const char* too_near(StepLimit limit) {
  return limit == StepLimit::inversion ? "tets about to invert allow no step"
         : limit == StepLimit::stretch ? "edges at their stretch_limit allow no step"
                                       : "bodies about to intersect allow no step";
}

// Whether edges at their stretch_limit shortened more of the last steps than contact or inversion.
bool edges_cut_most(const StepHistory& history) {
  const double stretch = history.share(StepLimit::stretch);
  return stretch > std::max(history.share(StepLimit::contact), history.share(StepLimit::inversion));
}

}  // namespace

MinimizerSettings common_settings(const System& system) {
  const SolverSetup& solver = system.setup.solver;
  MinimizerSettings settings;
  settings.tolerance = solver.tolerance;
  settings.mean_norm = solver.norm == "mean";
  settings.force_tolerance = solver.force_tolerance;
  settings.max_iterations = solver.max_iterations;
  settings.adaptive_stiffness = system.adaptive_stiffness;
  settings.max_stiffness = max_stiffening * system.contact_stiffness;
  return settings;
}

void MinimizeReport::add(const DirectionResult& result) {
  linear_iterations += result.linear_iterations;
  linear_solve_seconds += result.linear_solve_seconds;
  symbolic_seconds += result.symbolic_seconds;
  factorizations += result.factorizations;
  projected_factorizations += result.projected_factorizations;
  levels.add(result.levels);
  if (result.error) error = result.error;
  if (!result.adaptive) return;
  if (!adaptive) adaptive.emplace();
  adaptive->add(*result.adaptive);
}

void MinimizeReport::add(const LineSearchResult& search) {
  line_search_steps += search.steps;
  line_search_seconds += search.seconds;
  history.add({measure, search.filter, search.limit});
}

// Cause and reason of an end without convergence. Several may hold at once; the first that applies is the root, since
// values that are not finite, a singular matrix and a truncated solve explain those after them.
void Minimizer::give_up(const Potential& potential, const Aim& aim, const LineSearchResult& search, bool small,
                        const DirectionResult& result, MinimizeReport& report) const {
  const auto because = [&](Cause cause, std::string reason) {
    report.cause = cause;
    report.reason = std::move(reason);
  };
  if (!result.ok && !g_.allFinite()) return because(Cause::not_finite, "the forces are not finite");
  if (!result.ok) return because(result.overflow ? Cause::not_finite : Cause::singular, result.reason);
  if (!d_.leftCols(potential.columns()).allFinite())
    return because(Cause::not_finite, "the Newton direction is not finite");
  // Gaps of the size of rounding: a trial within the filter's step may still close one.
  const bool filtered = search.limit != StepLimit::none && search.filter < 1;
  if (!search.accepted && !search.held && !search.finite && !filtered)
    return because(Cause::not_finite, "the potential is not finite anywhere along the Newton direction");
  if (!search.accepted && !search.held && !search.finite) return because(Cause::contact_filter, too_near(search.limit));
  if (!search.accepted && !search.held && !result.may_stop)
    return because(Cause::linear_solver, "the linear solver stopped early: " + result.reason);
  if (!search.accepted && !search.held)
    return because(
        Cause::line_search,
        fmt::format("the line search found no decrease of the potential after {} halvings", LineSearch::max_halvings));
  if (motion_.blocked() && report.remaining_to_target > 0 && edges_cut_most(report.history))
    return because(Cause::stretch_limit,
                   "a prescribed motion is blocked: edges are at their stretch_limit and cannot stretch further");
  if (motion_.blocked() && report.remaining_to_target > 0)
    return because(
        Cause::blocked_motion,
        "a prescribed motion is blocked: obstacles or fixed vertices press bodies that cannot move or deform further");
  if (motion_.blocked()) return because(Cause::contact_filter, too_near(potential.step_limit()));
  if (aim.waits)
    return because(Cause::slow_motion, "the prescribed motion did not reach its target within solver.max_iterations");
  if (!result.may_stop)
    return because(Cause::linear_solver,
                   "solver.max_iterations ended the step, in which the linear solver stopped early: " + result.reason);
  if (small)
    return because(Cause::unsettled_contact,
                   "forces still change after solver.max_iterations, although the residual is below solver.tolerance");
  because(Cause::oscillation, "the residual is still above solver.tolerance after solver.max_iterations");
}

MinimizeReport Minimizer::minimize(Potential& potential, DescentDirection& direction, Points& x,
                                   std::vector<PlaneState>& planes, const std::function<void()>& check_interrupt) {
  MinimizeReport report;
  settled_.known = false;
  last_error_ = std::numeric_limits<double>::infinity();
  ContactModel& contact = potential.contact();
  try {
    iterate(potential, direction, x, planes, check_interrupt, report);
  } catch (...) {
    contact.set_reach(1);  // energies and contacts of the state that stays are those of the scene's barriers
    throw;
  }
  if (contact.reach() != 1) {  // it gave up with longer barriers
    contact.set_reach(1);
    potential.set_contacts(x, planes);
    report.value = potential.value(x);
  }
  if (!report.converged && settled_.known) report.converged = go_back(potential, direction, x, planes, report);
  return report;
}

// Stage 5 where the iterations have converged (theory, section 3, "Rounds"; IPC, section 5). Friction was lagged with
// normal forces lambda'; at x they are lambda. If
//
//   max over bodies of sum |mu lambda - mu lambda'| / sum mu lambda  >  friction_tolerance
//
// at contacts whose friction is at its limit, lambda' <- lambda and the minimisation goes on. Where the error of the
// last round has not halved, the rounds go round or diverge, and this one is damped: lambda' <- (lambda' + lambda) / 2.
// Returns whether the minimisation goes on. early: before the iterations have converged.
bool Minimizer::lag_friction(Potential& potential, DescentDirection& direction, const Points& x, bool early,
                             MinimizeReport& report) {
  if (settings_.friction_rounds <= 1) return false;
  if (early && report.friction_rounds > early_rounds) return false;
  report.friction_error = potential.friction_error(x);
  if (report.friction_error <= settings_.friction_tolerance || report.friction_rounds >= settings_.friction_rounds)
    return false;
  ++report.friction_rounds;
  const bool contracts = report.friction_error <= contraction * last_error_;
  last_error_ = report.friction_error;
  potential.update_lagged(x, contracts ? 1 : damped_share);
  direction.lagged_anew();
  report.value = potential.value(x);
  return true;
}

// Whether friction is lagged in this iteration with the normal forces that its direction leads to.
bool Minimizer::friction_follows(const DescentDirection& direction, const MinimizeReport& report) const {
  return settings_.friction_rounds > 1 && direction.sees_contacts() &&
         report.iterations <= following_share * settings_.max_iterations;
}

void Minimizer::settle(const Potential& potential, const Points& x, const std::vector<PlaneState>& planes,
                       const MinimizeReport& report) {
  settled_ = {true,
              x,
              planes,
              potential.contact().stiffness(),
              report.residual,
              report.measure,
              report.friction_error,
              report.at_rounding_floor};
}

// A further round of lagged friction that does not converge must not cost the solution that was reached before: the
// step ends there, with friction as it was lagged then, and the report tells its error.
bool Minimizer::go_back(Potential& potential, DescentDirection& direction, Points& x, std::vector<PlaneState>& planes,
                        MinimizeReport& report) {
  x = settled_.x;
  planes = settled_.planes;
  if (potential.contact().stiffness() != settled_.stiffness) potential.contact().set_stiffness(settled_.stiffness);
  potential.set_contacts(x, planes);
  report.value = potential.value(x);
  report.residual = settled_.residual;
  report.measure = settled_.measure;
  report.friction_error = settled_.friction_error;
  report.at_rounding_floor = settled_.at_rounding_floor;
  report.budget = false;
  report.reason.clear();
  const Aim aim = motion_.aim(potential, x, planes, d_, drift_);
  report.remaining_to_target = aim.remaining;
  bool moved = false;
  const bool accepted = accept(potential, direction, aim, x, planes, moved, report);
  if (moved) report.friction_error = potential.friction_error(x);
  return accepted;
}

// Whether the direction takes x for the solution, after the last step that it may ask for; moved: it has.
bool Minimizer::accept(Potential& potential, DescentDirection& direction, const Aim& aim, Points& x,
                       std::vector<PlaneState>& planes, bool& moved, MinimizeReport& report) {
  const Acceptance acceptance = direction.accept(x, g_, d_);
  report.add(acceptance.work);
  report.error = acceptance.error;
  if (!acceptance.accepted || !acceptance.corrected) return acceptance.accepted;
  potential.translate_free(g_, d_);
  potential.complete(d_);
  const LineSearchResult search = line_search_.search(potential, aim, g_, d_, 1, x, planes, report.value);
  report.add(search);
  moved = search.accepted;
  direction.accepted(x, search.accepted ? search.alpha : 0.0, search.model_error);
  if (potential.contact().held_in_search() && search.accepted) {
    potential.set_contacts(x, planes);
    report.value = potential.value(x);
  }
  return true;
}

// Where the stop test has passed: whether the minimisation ends. It goes on where the direction does not accept x, or
// where its last step has changed normal forces too much for friction as it is lagged.
bool Minimizer::ends(Potential& potential, DescentDirection& direction, const Aim& aim, bool last, Points& x,
                     std::vector<PlaneState>& planes, MinimizeReport& report) {
  bool moved = false;
  const bool accepted = last || accept(potential, direction, aim, x, planes, moved, report);
  if (accepted) {
    if (!moved || !lag_friction(potential, direction, x, false, report)) return true;
    settle(potential, x, planes, report);
  }
  report.converged = false;
  if (report.iterations < settings_.max_iterations) return false;
  if (!accepted) {
    report.cause = Cause::too_few_iterations;
    report.reason = "the estimated error is still above adaptive.accuracy of the motion after solver.max_iterations";
  }
  return true;
}

// Barriers for the next iteration (solver/reach_homotopy.h). Returns whether they have changed, and E with them.
bool Minimizer::change_reach(Potential& potential, const LineSearchResult& search, bool ends, const Points& x,
                             const std::vector<PlaneState>& planes, MinimizeReport& report) {
  ContactModel& contact = potential.contact();
  if (!elimination_ || !contact.has_reach()) return false;
  const double factor = reach_.next(search.alpha, search.limit == StepLimit::contact, ends);
  if (factor == contact.reach()) return false;
  contact.set_reach(factor);
  potential.set_contacts(x, planes);
  report.value = potential.value(x);
  return true;
}

// Newton's method on the few vertices that hold most of what is left (solver/elimination.h).
void Minimizer::eliminate(Potential& potential, Points& x, const std::vector<PlaneState>& planes,
                          MinimizeReport& report) const {
  const EliminationReport local = elimination_->eliminate(g_, d_, x);
  report.local += local;
  if (local.iterations == 0) return;
  potential.set_contacts(x, planes);
  report.value = potential.value(x);
}

// A stiffer barrier where gaps close, or where bodies at rest leave prescribed motion no room (contact_stiffening.h).
void Minimizer::stiffen(Potential& potential, const Aim& aim, bool rests, const Points& x, MinimizeReport& report) {
  const System& system = potential.system();
  ContactModel& contact = potential.contact();
  const double gap = filtered_gap(contact);
  const bool pressed = rests && motion_.waits_for_room(aim, gap, system.contact_distance);
  const double kappa = stiffening_.next(gap, system.diagonal, pressed, contact.stiffness(), settings_.max_stiffness);
  if (!(kappa > contact.stiffness())) return;
  contact.set_stiffness(kappa);
  report.value = potential.value(x);
}

// Minimises E(x) from a start without intersections (IPC, algorithm 1). An iteration has seven stages:
//
// 1. Aim: the displacement of prescribed coordinates and obstacles that are not yet at their targets.
// 2. Direction d = -B grad E (DescentDirection), made to conserve momentum (potential/free_islands.h).
// 3. Filtered line search: x <- x + alpha d, alpha in (0, 1] such that nothing touches or inverts and E decreases
//    (solver/line_search.h).
// 4. Stop test: |d| / h, or the next correction, is below the tolerance (solver/stop_test.h), and the direction
//    accepts x.
// 5. Friction: lagged ahead, with the normal forces that d leads to; or, once the iterations have converged, lagged
//    anew if normal forces have changed too much.
// 6. No progress: another direction, a jam of prescribed motion, or a stiffer barrier.
// 7. Contact: barriers of another length, and Newton's method on the few vertices that hold most of g . d.
void Minimizer::iterate(Potential& potential, DescentDirection& direction, Points& x, std::vector<PlaneState>& planes,
                        const std::function<void()>& check_interrupt, MinimizeReport& report) {
  const System& system = potential.system();
  ContactModel& contact = potential.contact();
  report.value = potential.value(x);
  report.stiffness_before = contact.stiffness();
  stiffening_.begin(filtered_gap(contact));
  motion_.begin();
  stop_test_.begin();
  reach_.begin();
  bool doubted = false;  // prescribed motion was blocked once, and no full step has been taken since
  report.position_rounding = 8 * std::numeric_limits<double>::epsilon() * potential.extent(x) / potential.step();

  while (true) {
    check_interrupt();
    // Stage 1.
    const Aim aim = motion_.aim(potential, x, planes, d_, drift_);
    report.remaining_to_target = aim.remaining;

    // Stage 2.
    const DirectionResult result = direction.direction(x, aim.open ? drift_ : zero_drift_, g_, d_);
    if (result.ok) potential.translate_free(g_, d_);
    potential.complete(d_);
    report.add(result);
    const StepNorms norms = potential.norms(d_);
    if (!result.ok || !std::isfinite(norms.mean)) return give_up(potential, aim, {}, false, result, report);
    ++report.iterations;
    const StepNorms measured = result.measured.value_or(norms);
    report.residual = norms.max;
    report.measure = measured.of(settings_.mean_norm);
    const double length = result.remaining * report.measure;  // estimated distance to the solution [m/s]
    const bool small = length < settings_.tolerance && result.may_stop && !aim.waits;
    // In statics nothing bounds a direction where bodies are soft or hardly held: beyond the size of the scene it means
    // nothing.
    const double longest = potential.has_inertia() ? 1 : std::min(1.0, system.diagonal / norms.max);

    // Stage 3.
    potential.renew(x, report.value);
    const bool follows = friction_follows(direction, report);
    if (follows) potential.predict_forces(x, d_, aim.planes);
    const LineSearchResult search = line_search_.search(potential, aim, g_, d_, longest, x, planes, report.value);
    report.add(search);
    direction.accepted(x, search.accepted ? search.alpha : 0.0, search.model_error);
    if (contact.held_in_search() && search.accepted && report.iterations <= most_renewals) {
      // Contacts that were held during the search are found anew at its end.
      potential.set_contacts(x, planes);
      report.value = potential.value(x);
    }

    // Stage 4. Converged are: a step at the rounding floor; a full step whose correction is below the tolerance; the
    // last step of an estimate.
    report.at_rounding_floor = stop_test_.at_rounding(search, small, length, report.position_rounding);
    const bool nothing =  // left to go: what remains is rounding
        (report.at_rounding_floor || (small && report.residual <= report.position_rounding)) &&
        (!search.accepted || stop_test_.may_end_at_rounding(potential, direction, x));
    const bool near = length < (result.exact ? correction_reach : 1) * settings_.tolerance;
    const bool full = search.accepted && search.alpha == 1 && !aim.waits && result.may_stop;
    const bool own_barriers = contact.reach() == 1;
    report.converged = own_barriers && (result.last || (nothing && direction.confirm()) ||
                                        (full && near && stop_test_.solved(potential, direction, x, measured, report)));
    // Stage 5.
    if (report.converged) {
      report.converged = !lag_friction(potential, direction, x, false, report);
      if (!report.converged) settle(potential, x, planes, report);
    } else if (follows && search.accepted) {
      if (potential.lag_friction_ahead(x, following_tolerance * settings_.friction_tolerance, report.value))
        direction.lagged_anew();
    } else if (!direction.sees_contacts() && full && length < early_reach * settings_.tolerance) {
      lag_friction(potential, direction, x, true, report);
    }
    if (report.converged) {
      if (ends(potential, direction, aim, result.last, x, planes, report)) return;
      continue;
    }
    // Stage 6.
    if (full && near) direction.confirm();  // near the tolerance an inexact direction is made more exact
    const bool ends = nothing || (full && near) || !search.accepted;
    const bool other_barriers = change_reach(potential, search, ends, x, planes, report);
    if (!search.accepted && !search.held && !nothing) {
      if (other_barriers && report.iterations < settings_.max_iterations) continue;
      if (report.iterations < settings_.max_iterations && direction.retry()) continue;
      if (report.iterations < settings_.max_iterations && potential.start_anew(x)) {
        report.value = potential.value(x);
        continue;
      }
      return give_up(potential, aim, search, small, result, report);
    }
    if (search.alpha == 1) doubted = false;
    if (motion_.blocked(aim, search.alpha, filtered_gap(contact), system.contact_distance)) {
      if (doubted || direction.confirm()) return give_up(potential, aim, search, small, result, report);
      doubted = true;
      motion_.forget_blocked();
    }
    if (settings_.adaptive_stiffness)
      stiffen(potential, aim, length < settings_.tolerance && result.may_stop, x, report);
    if (settings_.budget > 0 && report.iterations >= settings_.budget && !aim.waits) {
      report.budget = true;
      report.reason = budget_text(settings_.budget, length, settings_.tolerance, !potential.has_inertia());
      if (settings_.friction_rounds > 1) report.friction_error = potential.friction_error(x);
      return;
    }
    if (report.iterations >= settings_.max_iterations) return give_up(potential, aim, search, small, result, report);
    // Stage 7.
    if (elimination_ && search.accepted && !aim.waits) eliminate(potential, x, planes, report);
  }
}

}  // namespace sinew
