#include "sinew/solver/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <fmt/format.h>

#include "sinew/contact/gap.h"
#include "sinew/contact/stencil_text.h"
#include "sinew/model/naming.h"
#include "sinew/potential/stretch_limit.h"
#include "sinew/solver/advice.h"
#include "sinew/solver/minimizer.h"

namespace sinew {
namespace {

// A stiff term whose force is at least this share of the largest one counts as dominant: in equilibrium forces balance.
constexpr double comparable = 0.5;

// The terms whose forces change fastest with positions, the fastest first; the others are linear or nearly so.
constexpr const char* abrupt_terms[] = {"contact", "friction", "elastic", "springs", "pressure", "gas"};

bool is_about_contact(Cause cause) {
  return cause == Cause::contact_filter || cause == Cause::blocked_motion;
}

// Causes in which prescribed motion may press bodies together or crush their tets.
bool is_about_motion(Cause cause) {
  return cause == Cause::blocked_motion || cause == Cause::slow_motion || cause == Cause::contact_filter;
}

// The vertex that the direction moves farthest; one where it is not finite first. -1: it moves none.
Index worst_vertex(const Points& d, Index n) {
  Index worst = -1;
  double most = 0;
  for (Index i = 0; i < n && i < d.cols(); ++i) {
    const double length = d.col(i).norm();
    if (!std::isfinite(length)) return i;
    if (length > most) {
      most = length;
      worst = i;
    }
  }
  return worst;
}

// The first vertex on which some term's force is not finite; -1: none.
Index not_finite_vertex(const std::vector<TermForce>& terms) {
  for (const TermForce& term : terms)
    for (Index i = 0; i < term.force.cols(); ++i)
      if (!term.force.col(i).allFinite()) return i;
  return -1;
}

// The term to blame at a vertex: one that is not finite, else the most abrupt of the large ones, else the largest.
std::string dominant_term(const std::vector<std::pair<std::string, double>>& forces) {
  for (const auto& [term, force] : forces)
    if (!std::isfinite(force)) return term;
  for (const char* abrupt : abrupt_terms)
    for (const auto& [term, force] : forces)
      if (term == abrupt && force > 0 && force >= comparable * forces[0].second) return term;
  return forces[0].first;
}

// Fills in where the vertex is, how it would move, and the forces of all terms on it, the largest first.
void look_at_vertex(const System& system, Index vertex, const std::vector<TermForce>& terms, const Points& x,
                    const Points& d, double step, Diagnosis& out) {
  out.body = system.bodies[system.vertex_body[vertex]].name;
  out.vertex = own_number(system, vertex);
  out.position = x.col(vertex);
  out.residual = vertex < d.cols() ? d.col(vertex).norm() / step : std::numeric_limits<double>::quiet_NaN();
  for (const TermForce& term : terms) out.forces.emplace_back(term.term, term.force.col(vertex).norm());
  std::stable_sort(out.forces.begin(), out.forces.end(), [](const auto& a, const auto& b) {
    return b.second < a.second || (std::isnan(a.second) && !std::isnan(b.second));
  });
  out.term = is_about_contact(out.cause)            ? "contact"
             : out.cause == Cause::inversion_filter ? "elastic"
             : out.cause == Cause::stretch_limit    ? "edge springs"
                                                    : dominant_term(out.forces);
}

// The stencil with the smallest gap, and a deformable vertex of it, at which the filter stops the step.
ClosestContact closest_contact(const IncrementalPotential& potential, const Points& x) {
  ClosestContact result;
  double smallest = std::numeric_limits<double>::infinity();
  const ContactStencil* closest = nullptr;
  for (const ContactStencil& stencil : potential.contact().contacts()) {
    const double gap = stencil_gap(stencil, x, potential.contact().planes());
    if (!(gap < smallest)) continue;
    smallest = gap;
    closest = &stencil;
  }
  if (!closest) return result;
  result.gap = smallest;
  result.sides = stencil_text(potential.system(), *closest);
  const auto end = closest->v.begin() + closest->vertex_count();
  result.touching =
      *std::find_if(closest->v.begin(), end, [&](Index v) { return v < potential.system().body_vertex_count(); });
  return result;
}

// The tet with the smallest J = det F goes to the diagnosis. Returns a corner of it; -1: there is none.
Index look_at_tets(const System& system, const ElasticEnergy& elastic, const Points& x, Diagnosis& out) {
  std::vector<double> F(9 * static_cast<std::size_t>(system.tet_count()));
  elastic.deformation_gradients(x, F);
  Index flattest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (Index t = 0; t < system.elastic_tet_count(); ++t) {
    const double J = Eigen::Map<const Mat3>(F.data() + 9 * static_cast<std::size_t>(t)).determinant();
    if (!(J < smallest)) continue;
    smallest = J;
    flattest = t;
  }
  if (!std::isfinite(smallest)) return -1;
  out.min_jacobian = smallest;
  out.flattest = tet_text(system, flattest);
  return system.tets(0, flattest);
}

// Why the iterations were used up, from the last ones: a filter that shortened most steps, a residual that still falls,
// or one that does not.
Cause stalled_cause(const StepHistory& history) {
  constexpr double short_step = 0.25;
  if (history.size() < 4) return Cause::too_few_iterations;
  const Cause filter = history.share(StepLimit::contact) > 0.5     ? Cause::contact_filter
                       : history.share(StepLimit::inversion) > 0.5 ? Cause::inversion_filter
                       : history.share(StepLimit::stretch) > 0.5   ? Cause::stretch_limit
                                                                   : Cause::oscillation;
  if (filter != Cause::oscillation && history.typical_step() < short_step) return filter;
  return history.falling() ? Cause::too_few_iterations : filter;
}

// "where: vertex 3 of body 'a' at ..., residual ...; contact dominates there: contact 3 N, elastic 2 N".
std::string where_text(const Diagnosis& d) {
  if (d.body.empty()) return "";
  const char* unit = d.is_static ? "m" : "m/s";
  const bool is_largest = !(d.largest_residual > 2 * d.residual);  // as norms differ
  const std::string elsewhere = is_largest ? "" : fmt::format(", the largest {:.3g} {}", d.largest_residual, unit);
  std::string text = fmt::format("where: vertex {} of body '{}' at {}", d.vertex, d.body, place_text(d.position));
  if (std::isfinite(d.residual))
    text += fmt::format(", residual {:.3g} {}{} (tolerance {:.3g})", d.residual, unit, elsewhere, d.tolerance);
  const bool dominates = !d.forces.empty() && dominant_term(d.forces) == d.term;
  text += fmt::format("; {} {}:", d.term, dominates ? "dominates there" : "limits the step; forces there");
  bool first = true;
  for (const auto& [term, force] : d.forces) {
    if (force == 0) continue;
    text += fmt::format("{} {} {:.3g} N", first ? "" : ",", term, force);
    first = false;
  }
  return first ? text.substr(0, text.rfind(';')) : text;
}

// "tried: 20 iterations, 30 line search steps, 4 cut by the collision filter ...".
std::string tried_text(const Diagnosis& d) {
  std::string text =
      fmt::format("tried: {} iteration{}, {} line search step{}", d.iterations, d.iterations == 1 ? "" : "s",
                  d.line_search_steps, d.line_search_steps == 1 ? "" : "s");
  if (d.contact_cuts > 0) text += fmt::format(", {} cut by the collision filter", d.contact_cuts);
  if (d.inversion_cuts > 0) text += fmt::format(", {} cut by tets about to invert", d.inversion_cuts);
  if (d.shortest_step < 1) text += fmt::format(" (the shortest to {:.2g} of its length)", d.shortest_step);
  if (d.projected_factorizations > 0) text += fmt::format(", {} projected Hessians", d.projected_factorizations);
  if (d.stiffness_after > d.stiffness_before)
    text += fmt::format(", contact stiffness raised from {:.3g} to {:.3g} Pa", d.stiffness_before, d.stiffness_after);
  return text;
}

}  // namespace

// As written to steps.jsonl.
const char* cause_name(Cause cause) {
  switch (cause) {
    case Cause::too_few_iterations:
      return "too_few_iterations";
    case Cause::oscillation:
      return "oscillation";
    case Cause::unsettled_contact:
      return "unsettled_contact";
    case Cause::unsettled_friction:
      return "unsettled_friction";
    case Cause::unsettled_bolt:
      return "unsettled_bolt";
    case Cause::contact_filter:
      return "contact_filter";
    case Cause::inversion_filter:
      return "inversion_filter";
    case Cause::stretch_limit:
      return "stretch_limit";
    case Cause::line_search:
      return "line_search";
    case Cause::linear_solver:
      return "linear_solver";
    case Cause::blocked_motion:
      return "blocked_motion";
    case Cause::slow_motion:
      return "slow_motion";
    case Cause::singular:
      return "singular";
    case Cause::free_motion:
      return "free_motion";
    case Cause::limit_point:
      return "limit_point";
    case Cause::not_finite:
      return "not_finite";
  }
  return "";
}

std::string cause_code(Cause cause) {
  std::string code = std::string("W-") + cause_name(cause);
  std::ranges::replace(code, '_', '-');
  return code;
}

// In three stages:
//
// 1. Cause, from the report of the minimiser and the history of its steps.
// 2. Place: the closest contact, the tet with the smallest det F, the edge nearest to its limit, or the vertex that d
//    moves farthest, by cause.
// 3. Forces of all terms at that place, the largest first, and the advice that follows.
Diagnosis diagnose(const UnconvergedEnd& end, const MinimizerSettings& settings, const MinimizeReport& report) {
  const System& system = end.system;
  Diagnosis out;
  // Stage 1.
  out.cause = report.cause == Cause::oscillation ? stalled_cause(report.history) : report.cause;
  if (is_about_motion(out.cause)) {
    const double contact = report.history.share(StepLimit::contact);
    const double inversion = report.history.share(StepLimit::inversion);
    if (inversion > contact) out.cause = Cause::inversion_filter;
    if (report.history.share(StepLimit::stretch) > std::max(contact, inversion)) out.cause = Cause::stretch_limit;
  }
  out.reason = report.reason;
  out.tolerance = settings.tolerance;
  out.largest_residual = report.residual;
  out.is_static = end.is_static;
  out.smallest_gap = end.closest.gap;
  out.closest = end.closest.sides;
  const Index crushed = look_at_tets(system, end.elastic, end.x, out);
  const Points moved = report.cause == Cause::singular ? Points(3, 0) : end.d;
  // Stage 2.
  Index vertex = not_finite_vertex(end.terms);
  if (vertex < 0 && is_about_contact(out.cause)) vertex = end.closest.touching;
  if (vertex < 0 && out.cause == Cause::inversion_filter) vertex = crushed;
  const Index taut = out.cause == Cause::stretch_limit ? tautest_spring(system, end.x) : -1;
  if (vertex < 0 && taut >= 0) vertex = system.edge_springs[taut].a;
  if (vertex < 0) vertex = worst_vertex(moved, system.dynamic_count);
  // Stage 3.
  if (vertex >= 0) look_at_vertex(system, vertex, end.terms, end.x, moved, end.step, out);
  out.iterations = report.iterations;
  out.line_search_steps = report.line_search_steps;
  out.projected_factorizations = report.projected_factorizations;
  out.contact_cuts = report.history.contact_cuts();
  out.inversion_cuts = report.history.inversion_cuts();
  out.shortest_step = report.history.shortest_step();
  out.stiffness_before = report.stiffness_before;
  out.stiffness_after = end.stiffness_after;
  out.advice = advice(out, system, settings);
  if (taut >= 0) out.advice = stretch_text(system, system.edge_springs[taut], end.x) + ": " + out.advice;
  return out;
}

Diagnosis diagnose(const IncrementalPotential& potential, const Points& x, const Points& d,
                   const MinimizerSettings& settings, const MinimizeReport& report) {
  const std::vector<TermForce> terms = potential.forces_by_term(x);
  return diagnose({potential.system(), potential.elastic(), x, d, terms, closest_contact(potential, x),
                   potential.context().step, !potential.context().inertia, potential.contact().stiffness()},
                  settings, report);
}

std::string details_text(const Diagnosis& d, const std::string& indent) {
  std::string text;
  const std::string where = where_text(d);
  if (!where.empty()) text += indent + where;
  if (d.smallest_gap >= 0)
    text += fmt::format("{}smallest gap: {:.3g} m, between {}", indent, d.smallest_gap, d.closest);
  constexpr double nearly_flat = 0.05;
  if (d.min_jacobian < nearly_flat)
    text += fmt::format("{}smallest volume: {:.2g} of the volume at rest, {}", indent, d.min_jacobian, d.flattest);
  text += indent + tried_text(d);
  return text + indent + "what to do: " + d.advice;
}

}  // namespace sinew
