#include "sinew/modes/nonlinear_modes.h"

#include <algorithm>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/modes/condensation.h"
#include "sinew/modes/inertia_modes.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_derivatives.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

constexpr Index candidates_a_mode = 3;
constexpr Index most_candidates = 20000;

// Modes of a body that are no rigid motions.
MatX linear_basis(RestBody& body, LinearBasis basis, Index count) {
  const auto rigid = static_cast<Index>(body.rigid().cols());
  if (basis == LinearBasis::inertia) return inertia_modes_of(body, std::min(count, body.free_count() - rigid)).vectors;
  const BodyModes modes = linear_modes_of(body, std::min(count + rigid, body.free_count()));
  return modes.vectors.rightCols(modes.vectors.cols() - rigid);
}

MatX beside(const MatX& a, const MatX& b) {
  MatX both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

}  // namespace

Index linear_mode_count(Index count) {
  Index k = 1;
  while (k + k * (k + 1) / 2 < candidates_a_mode * count) ++k;
  return k;
}

// U, then derivatives order by order: V^(1) of all pairs of U, V^(m) of U and V^(m-1).
ModeSet nonlinear_modes(const System& system, const std::vector<char>& fixed, Index count,
                        const NonlinearModeOptions& options) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  const Index linear = options.linear > 0 ? options.linear : linear_mode_count(count);
  double candidates = linear, last = 0.5 * linear * (linear + 1.0);
  for (int order = 1; order <= options.order; ++order, last *= linear) candidates += last;
  if (candidates > most_candidates)
    fail_input(
        "derivatives of order {} of {} linear modes are {:.3g} candidates, more than {}; take fewer linear modes or a "
        "lower order",
        options.order, linear, candidates, most_candidates);
  std::vector<BodyModes> parts;
  for (RestBody& body : bodies) {
    const MatX U = linear_basis(body, options.basis, linear);
    activity::begin("derivatives of modes");
    const StiffnessChange change(system, body);
    MatX all = U, V = mode_derivatives(body, change, U);
    all = beside(all, V);
    for (int order = 2; order <= options.order; ++order) {
      V = higher_derivatives(body, change, U, V);
      all = beside(all, V);
    }
    CondensedModes modes = condense(body, std::move(all), count, options.condensation);
    parts.push_back({body.vertices(), std::move(modes.values), std::move(modes.vectors)});
  }
  ModeSet result;
  result.kind = options.basis == LinearBasis::inertia ? "inertia_derivatives" : "derivatives";
  merge_modes(parts, system.dynamic_count, count, result.values, result.vectors);
  activity::finish();
  return result;
}

}  // namespace sinew
