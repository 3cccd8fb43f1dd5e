#include "sinew/dynamics/condensed_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/timer.h"

namespace sinew {
namespace {

constexpr double sufficient_decrease = 1e-4;  // of Armijo's rule (Nocedal and Wright 2006, section 3.1)
constexpr double shortest_step = 1e-10;
constexpr double farthest_reach = 1e3;  // in units of the scene's diagonal
constexpr double rounding = 1e-14;      // of a merit value, relative to the sizes of its terms
constexpr double hidden = 1e3;          // times that: terms of opposite signs may have cancelled

}  // namespace

CondensedSearch::CondensedSearch(CondensedProblem& problem) : problem_(problem) {
  const PositionSpace& space = problem.space();
  for (MatX* m : {&trial_.y, &target_}) m->setZero(space.rows(), space.columns());
}

// The direction of a body that nothing holds may have any length; it is cut to a reach that filters can handle.
double CondensedSearch::cut(CondensedPoint& d, double longest) const {
  const double reach = std::min(1.0, farthest_reach * problem_.diagonal() / longest);
  if (reach == 1) return 1;
  d.y *= reach;
  for (double& value : d.s) value *= reach;
  return reach;
}

void CondensedSearch::begin() {
  filter_ = 1;
  limit_ = StepLimit::none;
}

// The filter of contact let t through at first.
void CondensedSearch::note_filter(double t) {
  filter_ = t;
  if (t < 1) limit_ = StepLimit::contact;
}

// The merit function is infinite at t.
void CondensedSearch::note_inversion(double t) {
  filter_ = 0.5 * t;
  limit_ = StepLimit::inversion;
}

double CondensedSearch::search(CondensedPoint& at, CondensedPoint& d, double slope, double longest,
                               StepReport& report) {
  ScopedTimer timer(report.seconds.line_search);
  begin();
  const double reach = cut(d, longest);
  return problem_.space().has_energy() ? search_by_merit(at, d, slope, reach, report)
                                       : search_by_work(at, d, slope, reach, report);
}

// The largest t up to the given one so that nothing touches on the straight way from y to where t d leads. On a curved
// set of positions the ways of two t are not parts of each other, and each is looked at.
double CondensedSearch::filtered(const MatX& y, const MatX& d, double t) {
  PositionSpace& space = problem_.space();
  for (; t > shortest_step; t *= 0.9) {
    space.move(y, d, t, target_);
    const double part = space.max_step(y, target_);
    if (part == 1 || !space.is_curved()) return part * t;
    t *= part;
  }
  return 0;
}

// The largest t up to the given one so that nothing touches as what is prescribed goes along: as filtered(), but on
// straight sets of positions too each t is looked at with its own place of what is prescribed.
double CondensedSearch::followed(const MatX& y, const MatX& d, double t) {
  PositionSpace& space = problem_.space();
  for (; t > shortest_step; t *= 0.9) {
    problem_.place(y, d, t, target_);
    const double part = space.max_step(y, target_);
    if (part == 1) return t;
    t *= part;
  }
  return 0;
}

void CondensedSearch::add_stretches(const CondensedPoint& at, const CondensedPoint& d, double t) {
  if (!problem_.is_mixed()) return;
  trial_.s = at.s;
  for (std::size_t i = 0; i < d.s.size(); ++i) trial_.s[i] += t * d.s[i];
}

double CondensedSearch::follow(CondensedPoint& at, CondensedPoint& d, double longest, StepReport& report) {
  ScopedTimer timer(report.seconds.line_search);
  begin();
  cut(d, longest);
  double t = followed(at.y, d.y, 1);
  note_filter(t);
  for (; t > shortest_step; t = followed(at.y, d.y, 0.5 * t)) {
    ++report.line_search_steps;
    std::swap(trial_.y, target_);  // where followed() has left it
    add_stretches(at, d, t);
    if (!std::isfinite(problem_.merit(trial_))) {
      note_inversion(t);
      continue;
    }
    problem_.space().took(at.y, trial_.y);
    std::swap(at.y, trial_.y);
    if (problem_.is_mixed()) std::swap(at.s, trial_.s);
    problem_.leave();
    return t;
  }
  problem_.space().go(0);
  return 0;
}

// The trial after t.
double CondensedSearch::next(const MatX& y, const MatX& d, double t) {
  return problem_.space().is_curved() ? filtered(y, d, 0.5 * t) : 0.5 * t;
}

// What rounding changes in a merit function at y: rounded sums, and rounded positions x of a size X, by which 1/2 m
// d^2 with d = x - x~ changes by m d eps X.
double CondensedSearch::rounding_of(const MatX& y, double coordinates, double elastic) {
  const double rounded = std::numeric_limits<double>::epsilon() * problem_.extent(y);
  return rounding * (std::abs(coordinates) + std::abs(elastic)) +
         2 * rounded * std::sqrt(2 * problem_.mass() * std::abs(coordinates));
}

// Backtracking: from the filtered length on, t is halved until Armijo's condition merit(t) <= merit(0) + 1e-4 t slope
// holds to rounding.
double CondensedSearch::search_by_merit(CondensedPoint& at, const CondensedPoint& d, double slope, double reach,
                                        StepReport& report) {
  PositionSpace& space = problem_.space();
  const double coordinates = space.value(at.y), start = coordinates + problem_.elastic();
  const double floor = rounding_of(at.y, coordinates, problem_.elastic());
  // The contact filter bounds the first t; J > 0 is kept by the merit function, which is infinite elsewhere.
  double t = filtered(at.y, d.y, 1);
  note_filter(t);
  for (; t > shortest_step; t = next(at.y, d.y, t)) {
    ++report.line_search_steps;
    space.move(at.y, d.y, t, trial_.y);
    add_stretches(at, d, t);
    const double value = problem_.merit(trial_);
    if (!std::isfinite(value)) note_inversion(t);
    const bool decreases = value <= start + sufficient_decrease * reach * t * slope + floor;
    if (!decreases && !(value <= start + hidden * floor && is_flatter(d, slope))) continue;
    space.took(at.y, trial_.y);
    std::swap(at.y, trial_.y);
    if (problem_.is_mixed()) std::swap(at.s, trial_.s);
    if (decreases) problem_.leave();
    return reach * t;
  }
  problem_.leave();
  return 0;
}

// Where rounding may hide the decrease, the slope at the trial decides: for a quadratic function Armijo's condition is
// slope(t) <= (1 - 2 c) |slope(0)|, the approximate Wolfe condition (Hager and Zhang 2005). Leaves the problem
// linearised at the trial.
bool CondensedSearch::is_flatter(const CondensedPoint& d, double slope) {
  if (problem_.is_mixed()) return false;
  problem_.linearize(trial_.y, trial_.s);
  return problem_.gradient().cwiseProduct(d.y).sum() <= -(1 - 2 * sufficient_decrease) * slope;
}

// Where elastic forces f are not the gradient of an energy, their work on the straight way to y + t d takes its place
// in Armijo's condition, by the trapezoidal rule, which is exact for a quadratic energy:
//   E_q(y + t d) - E_q(y) + t/2 (f(y) + f(y + t d)) . d <= 1e-4 t g . d.
// All stiff terms, those of contact, are in E_q. Leaves the problem linearised at y.
double CondensedSearch::search_by_work(CondensedPoint& at, const CondensedPoint& d, double slope, double reach,
                                       StepReport& report) {
  PositionSpace& space = problem_.space();
  const auto work_rate = [&] { return problem_.elastic_gradient().cwiseProduct(d.y).sum(); };
  const double before = space.value(at.y), start_rate = work_rate();
  const double floor = rounding_of(at.y, before, start_rate);
  double t = filtered(at.y, d.y, 1);
  note_filter(t);
  for (; t > shortest_step; t = next(at.y, d.y, t)) {
    ++report.line_search_steps;
    space.move(at.y, d.y, t, trial_.y);
    problem_.linearize(trial_.y, at.s);
    const double work = 0.5 * t * (start_rate + work_rate());
    if (!std::isfinite(problem_.elastic())) note_inversion(t);
    const double change = space.value(trial_.y) - before + work;
    if (!std::isfinite(problem_.elastic()) || !(change <= sufficient_decrease * reach * t * slope + floor)) continue;
    space.took(at.y, trial_.y);
    std::swap(at.y, trial_.y);
    return reach * t;
  }
  problem_.linearize(at.y, at.s);
  return 0;
}

}  // namespace sinew
