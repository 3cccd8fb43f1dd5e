#include "sinew/modes/quadratic_modes.h"

#include <algorithm>

#include "sinew/core/activity.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_reduction.h"
#include "sinew/modes/monomials.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

// K p at the vertices of a body that move, with p at those that are held as well: 3 a vertex x 27.
MatX monomial_forces(const System& system, const SymBlockMatrix& K, const RestBody& body) {
  std::vector<Index> all;
  for (const Index t : body.tets())
    for (int c = 0; c < 4; ++c)
      if (system.tets(c, t) < system.dynamic_count) all.push_back(system.tets(c, t));
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const MatX p = monomials(system.rest(Eigen::all, all));
  MatX forces(body.size(), p.cols());
  VecX u(3 * system.dynamic_count), f(3 * system.dynamic_count);
  for (Eigen::Index c = 0; c < p.cols(); ++c) {
    u.setZero();
    for (std::size_t v = 0; v < all.size(); ++v)
      u.segment<3>(3 * all[v]) = p.col(c).segment<3>(3 * static_cast<Eigen::Index>(v));
    K.multiply(u.data(), f.data());
    for (std::size_t v = 0; v < body.vertices().size(); ++v)
      forces.col(c).segment<3>(3 * static_cast<Eigen::Index>(v)) = f.segment<3>(3 * body.vertices()[v]);
  }
  body.set_fixed_to_zero(forces);
  return forces;
}

}  // namespace

// u = K^+ K p: of a free body p without its rigid share.
ModeSet quadratic_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  const Index number = modes_to_make(bodies, count, "quadratic", false);
  std::vector<BodyModes> parts;
  activity::begin("quadratic modes", static_cast<long>(bodies.size()));
  const SymBlockMatrix K = stiffness_at_rest(system);
  for (RestBody& body : bodies) {
    MatX U(body.size(), 0);
    MassGramSchmidt(body.rest(), body.mass(), monomial_count)
        .append(body.solve(monomial_forces(system, K, body)), monomial_count, U);
    ReducedModes modes = vibrations_of_span(body, U);
    parts.push_back({body.vertices(), std::move(modes.values), std::move(modes.vectors)});
    activity::advance();
  }
  ModeSet result;
  result.kind = "quadratic";
  merge_modes(parts, system.dynamic_count, number, result.values, result.vectors);
  activity::finish();
  return result;
}

}  // namespace sinew
