// Settings under which friction is not what the coefficient says, though every step converges.
#include <fmt/format.h>

#include "sinew/lint/check_parts.h"
#include "sinew/model/automatic_scales.h"

namespace sinew {
namespace {

// Of the slip speed: a tolerance above cannot tell sticking from slipping.
constexpr double resolving_share = 0.5;
// Of the motion of a load step: from here on friction loses some per cent, as it grows with the slip below slip_speed.
constexpr double largest_slip_share = 0.05;

}  // namespace

void check_friction(const System& system, Findings& findings) {
  if (!has_friction(system)) return;
  const double slip = system.setup.contact.slip_speed, tolerance = system.setup.solver.tolerance;
  const bool statics = system.setup.time.integrator == Integrator::statics;
  const char* unit = statics ? "m" : "m/s";
  if (tolerance > resolving_share * slip * (1 + 1e-9)) {
    findings.add({"friction",
                  Severity::remark,
                  fmt::format("solver.tolerance {:.3g} {} does not resolve contact.slip_speed {:.3g} {}: contacts that "
                              "slip within the tolerance count as sticking",
                              tolerance, unit, slip, unit),
                  fmt::format("set solver.tolerance to \"auto\" or {:.3g} at most", resolving_share * slip),
                  {},
                  tolerance / slip});
  }
  if (!statics) return;
  const double motion = largest_prescribed_motion(system);
  if (!(motion > 0) || slip <= largest_slip_share * motion) return;
  findings.add({"friction",
                Severity::warning,
                fmt::format("contact.slip_speed is {:.3g} m per load step, {:.2g} of the largest prescribed motion per "
                            "load step, {:.3g} m: friction stays below its coefficient",
                            slip, slip / motion, motion),
                fmt::format("set contact.slip_speed to \"auto\" or {:.3g} at most", 0.01 * motion),
                {},
                slip / motion});
}

}  // namespace sinew
