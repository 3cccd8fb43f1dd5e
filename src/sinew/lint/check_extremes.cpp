// Numbers so large or small that rounding decides the result, or that the result means nothing.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sinew/lint/check_parts.h"

namespace sinew {
namespace {

constexpr double far_away = 1e6;             // distance from the origin over the diagonal of the body
constexpr double tiny_distance = 1e-9;       // contact distance over the diagonal of the scene
constexpr double smallest_distance = 1e-14;  // contact distance [m]
constexpr double stiff_spring = 1e7;         // stiffness over that of the body
constexpr double strong_friction = 10;       // coefficient; of clean rubber up to 4
constexpr double fast_tolerance = 0.1;       // [m/s] a metre of the scene, where that measures less than a metre
constexpr double wide_tolerance = 1e-3;      // [m] a metre of the scene, in statics

void check_place(const BodyFacts& body, Findings& findings) {
  const double place = body.lower.cwiseAbs().cwiseMax(body.upper.cwiseAbs()).norm(), size = body.diagonal();
  if (place <= far_away * size) return;
  findings.add({"precision",
                Severity::warning,
                fmt::format("body '{}' of {:.3g} m lies {:.3g} m from the origin: positions there are rounded to "
                            "{:.2g} m",
                            body.name, size, place, place * std::numeric_limits<double>::epsilon()),
                "move all bodies and obstacles nearer to the origin with \"transform\": {\"translate\": ...}",
                {body.name},
                place});
}

void check_tiny_distance(const System& system, Findings& findings) {
  const double distance = system.contact_distance;
  if (distance >= smallest_distance && distance >= tiny_distance * system.diagonal) return;
  findings.add({"contact distance",
                Severity::warning,
                fmt::format("contact.distance is {:.3g} m, {:.2g} of the diagonal of the scene: rounding decides what "
                            "touches",
                            distance, distance / system.diagonal),
                "choose a larger one, or \"auto\"",
                {},
                distance});
}

// One finding for each body: its stiffest spring.
void check_springs(const SceneFacts& facts, const System& system, Findings& findings) {
  std::vector<double> stiffest(facts.bodies.size(), 0);
  for (const Spring& spring : system.springs) {
    double& stiffness = stiffest[system.vertex_body[spring.vertex]];
    stiffness = std::max(stiffness, spring.stiffness);
  }
  for (std::size_t b = 0; b < stiffest.size(); ++b) {
    const BodyFacts& body = facts.bodies[b];
    const double own = body.young.low * body.diagonal();
    if (stiffest[b] <= stiff_spring * own) continue;
    findings.add({"spring",
                  Severity::warning,
                  fmt::format("a spring of {:.3g} N/m on body '{}' is {:.2g} times as stiff as the body (Young's "
                              "modulus times size: {:.2g} N/m): the solver loses accuracy",
                              stiffest[b], body.name, stiffest[b] / own, own),
                  "check its units [N/m]; use \"fix\" to hold vertices in place",
                  {body.name},
                  stiffest[b]});
  }
}

void check_friction(const ContactSetup& contact, Findings& findings) {
  const auto check = [&](double coefficient, const std::string& what, std::vector<std::string> owners) {
    if (coefficient <= strong_friction) return;
    findings.add({"friction", Severity::warning,
                  fmt::format("{} is {:.3g}; few materials have more than 2, and steps with more need many iterations",
                              what, coefficient),
                  "take about 1 for bodies that hardly slip", std::move(owners), coefficient});
  };
  check(contact.friction, "contact.friction", {});
  for (const FrictionPair& pair : contact.pairs)
    check(pair.coefficient, fmt::format("contact.friction of '{}' and '{}'", pair.a, pair.b), {pair.a, pair.b});
}

void check_tolerance(const System& system, Findings& findings) {
  const TimeSetup& time = system.setup.time;
  const bool statics = time.integrator == Integrator::statics;
  const double tolerance = system.setup.solver.tolerance;
  if (tolerance <= (statics ? wide_tolerance * system.diagonal : fast_tolerance * std::min(1.0, system.diagonal)))
    return;
  findings.add(
      {"tolerance",
       Severity::warning,
       fmt::format("solver.tolerance is {:.3g} {}: a step may end while vertices are still {:.3g} m from the solution, "
                   "in a scene of {:.3g} m",
                   tolerance, statics ? "m" : "m/s", statics ? tolerance : tolerance * time.step, system.diagonal),
       "leave it out: the default fits the size of the scene",
       {},
       tolerance});
}

}  // namespace

void check_extremes(const SceneFacts& facts, const System& system, Findings& findings) {
  for (const BodyFacts& body : facts.bodies) check_place(body, findings);
  if (system.setup.contact.enabled) {
    check_tiny_distance(system, findings);
    check_friction(system.setup.contact, findings);
  }
  check_springs(facts, system, findings);
  check_tolerance(system, findings);
}

}  // namespace sinew
