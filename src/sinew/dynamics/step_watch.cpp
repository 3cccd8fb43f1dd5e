#include "sinew/dynamics/step_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/log.h"
#include "sinew/model/naming.h"
#include "sinew/potential/inverted_tets.h"

namespace sinew {
namespace {

// From here on a body may go round another within a step, as the minimum of the step knows of no way.
constexpr double fast = 1;  // motion to each other in a step, over the size of the smaller body

}  // namespace

void StepWatch::before(Stepper& stepper) {
  meetings_.clear();
  parts_ = 1;
  const TimeSetup& time = system_.setup.time;
  if (time.integrator == Integrator::statics || !system_.setup.contact.enabled) return;
  const int most = time.max_travel > 0 ? stepper.most_parts() : 1;
  const double least = most > 1 ? std::min(fast, time.max_travel) : fast;
  if (kinetic_ && look_ahead_.too_slow(stepper.clock(), *kinetic_, least)) return;
  look_ahead_.find(stepper.sample(), least, meetings_);
  for (const Meeting& m : meetings_)
    while (parts_ < most && m.sizes > parts_ * time.max_travel) parts_ *= 2;
  if (parts_ > 1) stepper.divide(parts_);
}

void StepWatch::after(const Stepper& stepper, StepReport& report) {
  kinetic_ = report.energies.kinetic;
  tell_meetings(report);
  if (!(report.min_jacobian > 0)) tell_inversion(stepper, report);
}

std::string StepWatch::owner(Index id) const {
  const auto bodies = static_cast<Index>(system_.bodies.size());
  return fmt::format("{} '{}'", id < bodies ? "body" : "obstacle", system_.collision.owner_names[id]);
}

// Of those that the parts of the step were not short enough for.
void StepWatch::tell_meetings(StepReport& report) {
  const int parts = report.substeps >= parts_ ? parts_ : 1;  // 1: the smallest part failed
  for (const Meeting& m : meetings_) {
    if (!(m.sizes > fast * parts)) continue;
    const bool bodies = m.other < static_cast<Index>(system_.bodies.size());
    const std::string both =
        bodies ? fmt::format("bodies '{}' and '{}'", system_.bodies[m.body].name, system_.bodies[m.other].name)
               : fmt::format("{} and {}", owner(m.body), owner(m.other));
    const std::string text = fmt::format(
        "{} approach each other by {:.3g} m in a {}, {:.2g} times the size of '{}': they may end on the wrong sides of "
        "each other; take a time.step of at most {:.1g} s",
        both, m.distance / parts, parts > 1 ? "part of a step" : "step", m.sizes / parts,
        system_.collision.owner_names[m.first_is_smaller ? m.body : m.other],
        0.5 * parts * system_.setup.time.step / m.sizes);
    report.warnings.push_back(text);
    if (told_.emplace(m.body, m.other).second) log::warning("step {}: {}", report.step, text);
  }
}

void StepWatch::tell_inversion(const Stepper& stepper, StepReport& report) {
  const std::vector<InvertedTet> tets = inverted_tets(system_, stepper.sample().x);
  if (tets.empty()) return;  // between rounding and the points of cubature
  const auto worst = std::ranges::min_element(tets, {}, &InvertedTet::jacobian);
  const std::string text = fmt::format(
      "{} tet{} inverted, the worst with det F = {:.2g}: {} at {}; stresses there are meaningless. Use smaller steps "
      "or loads, a finer mesh there, or the model neo_hookean, which does not invert",
      tets.size(), tets.size() == 1 ? " is" : "s are", worst->jacobian, tet_text(system_, worst->tet),
      place_text(stepper.sample().x.col(system_.tets(0, worst->tet))));
  report.warnings.push_back(text);
  if (told_inversion_) return;
  told_inversion_ = true;
  log::warning("step {}: {}", report.step, text);
}

}  // namespace sinew
