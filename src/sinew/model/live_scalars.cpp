#include "sinew/model/live_scalars.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double earth = 9.81;    // [m/s^2]
constexpr double largest = 1e12;  // as of all numbers of a scene

using Value = std::vector<double>;
using Numbers = std::span<const double>;

SliderRange slider(double least, double most, bool log = false) {
  return {least, most, log};
}

const char* in_dynamics(const System& s) {
  const bool statics = s.setup.time.integrator == Integrator::statics;
  return statics ? "the size of load steps cannot change" : nullptr;
}

const char* with_contact(const System& s) {
  return s.setup.contact.enabled ? nullptr : "contact is off (contact.enabled)";
}

Value iterations(const System& s) {
  const int budget = s.setup.solver.iterations;
  return {budget < 0 ? std::numeric_limits<double>::quiet_NaN() : budget};
}

SliderRange gravity_slider(Numbers v) {
  const double most = 3 * std::max(Vec3(v[0], v[1], v[2]).norm(), earth);
  return slider(-most, most);
}

void set_friction(System& s, Numbers v) {
  CollisionMesh& mesh = s.collision;
  for (std::size_t k = 0; k < mesh.friction.size(); ++k)
    if (!mesh.own_friction[k]) mesh.friction[k] = v[0];
  s.setup.contact.friction = v[0];
}

constexpr LiveScalar scalars[] = {
    {.key = "gravity",
     .name = "gravity",
     .argument = "gravity",
     .unit = "m/s^2",
     .size = 3,
     .least = -largest,
     .most = largest,
     .title = "gravity",
     .text = "Acceleration of all bodies.",
     .get = [](const System& s) { return Value(s.setup.gravity.begin(), s.setup.gravity.end()); },
     .set = [](System& s, Numbers v) { s.setup.gravity = Vec3(v[0], v[1], v[2]); },
     .slider = gravity_slider},
    {.key = "time.step",
     .name = "time_step",
     .argument = "step",
     .unit = "s",
     .most = 1e9,
     .above_least = true,
     .title = "time step",
     .effect = "A change discards the history of `bdf2`.",
     .change = Change::time_step,
     .get = [](const System& s) { return Value{s.setup.time.step}; },
     .set = [](System& s, Numbers v) { s.setup.time.step = v[0]; },
     .slider = [](Numbers v) { return slider(v[0] / 10, 10 * v[0], /*log=*/true); },
     .refusal = in_dynamics},
    {.key = "solver.iterations",
     .name = "iterations",
     .argument = "budget",
     .most = 2e9,
     .whole = true,
     .title = "budget of iterations of a step",
     .text =
         "For reduced methods and `quasi_newton`. The step ends after this many iterations, once prescribed vertices "
         "have reached their positions. If the step has not converged then, the row's `outcome` is `budget`. 0: a "
         "step ends at the tolerance. `auto`: 10 for `quasi_newton`, else 0.",
     .effect = "For reduced methods and `quasi_newton`. 0: steps end at the tolerance.",
     .get = iterations,
     .set = [](System& s, Numbers v) { s.setup.solver.iterations = static_cast<int>(v[0]); },
     .slider = [](Numbers) { return slider(0, 20); }},
    {.key = "contact.friction",
     .name = "friction",
     .argument = "coefficient",
     .most = largest,
     .title = "coefficient of friction",
     .effect = "A change applies to all pairs of materials without their own coefficient.",
     .change = Change::friction,
     .get = [](const System& s) { return Value{s.setup.contact.friction}; },
     .set = set_friction,
     .slider = [](Numbers) { return slider(0, 1); },
     .refusal = with_contact},
};

}  // namespace

std::span<const LiveScalar> live_scalars() {
  return scalars;
}

const LiveScalar* find_live_scalar(const std::string& key) {
  const auto* found = std::ranges::find(scalars, key, [](const LiveScalar& s) { return std::string_view(s.key); });
  return found == std::end(scalars) ? nullptr : found;
}

void require_live_scalar(const System& system, const LiveScalar& scalar, std::span<const double> value) {
  if (const char* reason = scalar.refusal(system)) fail_input(code::edit, "{}: {}", scalar.key, reason);
  if (value.size() != scalar.size)
    fail_input(code::edit, "{}: found {} numbers, expected {}", scalar.key, value.size(), scalar.size);
  for (const double number : value) {
    const bool enough = scalar.above_least ? number > scalar.least : number >= scalar.least;
    if (!(enough && number <= scalar.most))
      fail_input(code::edit, "{}: found {:g}, expected {} {:g} to {:g}", scalar.key, number,
                 scalar.above_least ? "above" : "from", scalar.least, scalar.most);
    if (scalar.whole && number != std::floor(number))
      fail_input(code::edit, "{}: found {:g}, expected a whole number", scalar.key, number);
  }
}

}  // namespace sinew
