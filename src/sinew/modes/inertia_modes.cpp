#include "sinew/modes/inertia_modes.h"

#include <algorithm>

#include "sinew/core/activity.h"
#include "sinew/modes/krylov_multigrid.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

// EP, section 4.1: each order is K^+ M of the one before, made orthogonal to all before it. Columns beyond `count` are
// not solved for.
MatX factored_modes(RestBody& body, const MatX& start, Index count, const GramSchmidtOptions& options) {
  MassGramSchmidt orthogonal(body.rest(), body.mass(), count, options);
  MatX U(body.size(), 0), last = start;
  while (U.cols() < count && last.cols() > 0) {
    const Eigen::Index before = U.cols();
    for (Eigen::Index c = 0; c < last.cols() && U.cols() < count;) {
      const Eigen::Index columns = std::min(last.cols() - c, count - U.cols());
      orthogonal.append(body.solve(body.mass().asDiagonal() * last.middleCols(c, columns)), count, U);
      c += columns;
    }
    last = U.rightCols(U.cols() - before).eval();  // none where the Krylov space ends
    activity::reached(static_cast<long>(U.cols()));
  }
  return U;
}

bool by_multigrid(const RestBody& body, Index count, Eigen::Index order, const InertiaOptions& options) {
  if (options.solver == InertiaSolver::automatic)
    return !options.orthogonal.reduced && multigrid_is_cheaper(body, count, static_cast<Index>(order));
  return options.solver == InertiaSolver::multigrid;
}

}  // namespace

BodyModes inertia_modes_of(RestBody& body, Index count, const InertiaOptions& options) {
  activity::begin("inertia modes of " + body.name(), count);
  const MatX start = inertia_start(body, options.start);
  if (by_multigrid(body, count, start.cols(), options))
    if (std::optional<KrylovModes> modes = KrylovMultigrid(body).modes(start, count))
      return {body.vertices(), std::move(modes->quotients), std::move(modes->U)};
  MatX U = factored_modes(body, start, count, options.orthogonal);
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
