#include "sinew/dynamics/step_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/log.h"
#include "sinew/model/naming.h"
#include "sinew/potential/inverted_tets.h"

namespace sinew {
namespace {

// From here on a body may go round another within a step, as the minimum of the step knows of no way.
constexpr double fast = 1;  // way to each other in a step, over the size of the smaller body

// Whether the box [low, high], which moves by `way`, meets the box [low2, high2] on its way.
bool sweep_meets(const Vec3& low, const Vec3& high, const Vec3& way, const Vec3& low2, const Vec3& high2) {
  double begin = 0, end = 1;
  for (int k = 0; k < 3; ++k) {
    const double from = low2[k] - high[k], to = high2[k] - low[k];  // of the shift along k at which they overlap
    if (way[k] == 0) {
      if (from > 0 || to < 0) return false;
      continue;
    }
    const double first = from / way[k], second = to / way[k];
    begin = std::max(begin, std::min(first, second));
    end = std::min(end, std::max(first, second));
  }
  return begin <= end;
}

}  // namespace

StepWatch::StepWatch(const System& system)
    : system_(system),
      size_(system.bodies.size(), 0.0),
      mass_(system.bodies.size(), 0.0),
      movers_(system.bodies.size()) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Vec3> low(size_.size(), Vec3::Constant(infinity)), high(size_.size(), Vec3::Constant(-infinity));
  for (Index i = 0; i < system.dynamic_count; ++i) {
    const Index b = system.vertex_body[i];
    low[b] = low[b].cwiseMin(system.rest.col(i));
    high[b] = high[b].cwiseMax(system.rest.col(i));
    mass_[b] += system.mass[i];
  }
  for (std::size_t b = 0; b < size_.size(); ++b) size_[b] = (high[b] - low[b]).norm();
}

// A body of mass m goes at most sqrt(2 E / m), E the kinetic energy of all: mostly enough to know that nothing is fast.
bool StepWatch::too_slow() const {
  if (!kinetic_) return false;
  const double h = system_.setup.time.step;
  std::vector<double> speeds;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < size_.size(); ++b) {
    speeds.push_back(std::sqrt(2 * std::max(0.0, *kinetic_) / mass_[b]));
    smallest = std::min(smallest, size_[b]);
  }
  std::ranges::nth_element(speeds, speeds.begin() + 1, std::greater<>());
  return h * (speeds[0] + speeds[1]) <= fast * smallest;
}

void StepWatch::before(const Stepper& stepper) {
  meetings_.clear();
  const bool statics = system_.setup.time.integrator == Integrator::statics;
  if (statics || size_.size() < 2 || !system_.setup.contact.enabled || too_slow()) return;
  const State& state = stepper.sample();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::ranges::fill(movers_, Mover{Vec3::Constant(infinity), Vec3::Constant(-infinity), Vec3::Zero()});
  for (Index i = 0; i < system_.dynamic_count; ++i) {
    const Index b = system_.vertex_body[i];
    Mover& mover = movers_[b];
    mover.low = mover.low.cwiseMin(state.x.col(i));
    mover.high = mover.high.cwiseMax(state.x.col(i));
    mover.velocity += system_.mass[i] / mass_[b] * state.v.col(i);
  }
  look_for_meetings();
}

void StepWatch::look_for_meetings() {
  const double h = system_.setup.time.step;
  const auto count = static_cast<Index>(movers_.size());
  for (Index i = 0; i < count; ++i) {
    for (Index j = i + 1; j < count; ++j) {
      if (!system_.collision.owners_may_touch(i, j)) continue;
      const Index a = size_[i] <= (1 + 1e-9) * size_[j] ? i : j, b = i + j - a;
      const Vec3 way = h * (movers_[a].velocity - movers_[b].velocity);
      const double sizes = way.norm() / size_[a];
      if (!(sizes > fast)) continue;
      if (sweep_meets(movers_[a].low, movers_[a].high, way, movers_[b].low, movers_[b].high))
        meetings_.push_back({a, b, way.norm(), sizes});
    }
  }
}

void StepWatch::after(const Stepper& stepper, StepReport& report) {
  kinetic_ = report.energies.kinetic;
  tell_meetings(report);
  if (!(report.min_jacobian > 0)) tell_inversion(stepper, report);
}

void StepWatch::tell_meetings(StepReport& report) {
  for (const Meeting& m : meetings_) {
    const std::string text = fmt::format(
        "bodies '{}' and '{}' meet at {:.3g} m a step, {:.2g} times the size of '{}': they may end up on the wrong "
        "sides "
        "of each other; take a time.step of at most {:.1g} s",
        system_.bodies[m.a].name, system_.bodies[m.b].name, m.way, m.sizes, system_.bodies[m.a].name,
        0.5 * system_.setup.time.step / m.sizes);
    report.warnings.push_back(text);
    if (told_.emplace(m.a, m.b).second) log::warning("step {}: {}", report.step, text);
  }
}

void StepWatch::tell_inversion(const Stepper& stepper, StepReport& report) {
  const std::vector<InvertedTet> tets = inverted_tets(system_, stepper.sample().x);
  if (tets.empty()) return;  // between rounding and the points of cubature
  const auto worst = std::ranges::min_element(tets, {}, &InvertedTet::jacobian);
  const SystemBody& body = system_.bodies[system_.tet_body[worst->tet]];
  const std::string text = fmt::format(
      "{} tet{} inside out, the worst with det F = {:.2g}: tet {} of body '{}' at {}; stresses there mean nothing; "
      "take "
      "smaller steps or loads, a finer mesh there, or a material that does not invert (neo_hookean)",
      tets.size(), tets.size() == 1 ? " is" : "s are", worst->jacobian,
      system_.tet_to_user[worst->tet] - body.tet_user_begin, body.name,
      place_text(stepper.sample().x.col(system_.tets(0, worst->tet))));
  report.warnings.push_back(text);
  if (told_inversion_) return;
  told_inversion_ = true;
  log::warning("step {}: {}", report.step, text);
}

}  // namespace sinew
