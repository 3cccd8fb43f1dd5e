#include "sinew/modes/inertia_modes.h"

#include "sinew/core/activity.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

// EP, section 4.1: each order is K^+ M of the one before, made orthogonal to all before it.
BodyModes inertia_modes_of(RestBody& body, Index count, const InertiaOptions& options) {
  activity::begin("inertia modes of " + body.name(), count);
  MassGramSchmidt orthogonal(body.rest(), body.mass(), count, options.orthogonal);
  MatX U(body.size(), 0), last = inertia_start(body, options.start);
  while (U.cols() < count && last.cols() > 0) {
    const Eigen::Index before = U.cols();
    orthogonal.append(body.solve(body.mass().asDiagonal() * last), count, U);
    last = U.rightCols(U.cols() - before);  // none where the Krylov space ends
    activity::reached(static_cast<long>(U.cols()));
  }
  // Rayleigh quotients of modes of unit norm.
  const VecX quotients = U.cwiseProduct(body.multiply(U)).colwise().sum();
  return {body.vertices(), quotients, std::move(U)};
}

ModeSet inertia_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count,
                      const InertiaOptions& options) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  const Index number = modes_to_make(bodies, count, "inertia", false);
  std::vector<BodyModes> parts;
  for (RestBody& body : bodies) parts.push_back(inertia_modes_of(body, number, options));
  ModeSet result;
  result.kind = "inertia";
  merge_modes(parts, system.dynamic_count, number, result.values, result.vectors);
  activity::finish();
  return result;
}

}  // namespace sinew
