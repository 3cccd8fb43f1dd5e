#include "sinew/modes/mode_kinds.h"

#include <algorithm>

#include "sinew/modes/inertia_modes.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/modes/quadratic_modes.h"

namespace sinew {
namespace {

template <LinearBasis basis>
ModeSet derivatives(const System& system, const std::vector<char>& fixed, const ModeOptions& options) {
  NonlinearModeOptions nonlinear = options.nonlinear;
  nonlinear.basis = basis;
  nonlinear.inertia = options.inertia;
  return nonlinear_modes(system, fixed, options.count, nonlinear);
}

constexpr const char* candidates_end = "linear modes and their derivatives span no more; use more linear modes";

constexpr ModeKind kinds[] = {
    {"linear", "lowest vibrations at rest", false, false, "",
     [](const System& system, const std::vector<char>& fixed, const ModeOptions& options) {
       return linear_modes(system, fixed, options.count, options.rigid);
     }},
    {"derivatives", "linear modes and their derivatives, for large motions, reduced to few modes", true, false,
     candidates_end, derivatives<LinearBasis::vibration>},
    {"inertia", "static responses to inertia forces, at less cost than linear", false, true,
     "the responses to inertia forces span no more",
     [](const System& system, const std::vector<char>& fixed, const ModeOptions& options) {
       return inertia_modes(system, fixed, options.count, options.inertia);
     }},
    {"inertia_derivatives", "like derivatives, but from inertia modes", true, true, candidates_end,
     derivatives<LinearBasis::inertia>},
    {"quadratic", "displacements linear and quadratic in position, 24 for each body", false, false,
     "a body has 24 at most",
     [](const System& system, const std::vector<char>& fixed, const ModeOptions& options) {
       return quadratic_modes(system, fixed, options.count);
     }},
};

}  // namespace

std::span<const ModeKind> mode_kinds() {
  return kinds;
}

std::vector<std::string> mode_kind_names() {
  std::vector<std::string> names;
  for (const ModeKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

const ModeKind* find_mode_kind(const std::string& name) {
  const auto found = std::ranges::find(kinds, name, &ModeKind::name);
  return found == std::end(kinds) ? nullptr : found;
}

}  // namespace sinew
