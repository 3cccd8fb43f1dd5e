#include "sinew/modes/inertia_modes.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/activity.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/monomials.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

// Of a displacement's norm: what rounding leaves of one that is a rigid motion.
constexpr double least_start = 1e-8;

MatX beside(const MatX& a, const MatX& b) {
  MatX both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

// U^(0): what of the rigid motions, and of the linear and quadratic displacements where some are allowed, is orthogonal
// to those that are.
MatX start(const RestBody& body) {
  const MatX& R = body.rigid();
  if (R.cols() == 0) return body.turns_and_shifts();
  MatX all = beside(body.turns_and_shifts(), monomials(body.rest()));
  body.set_fixed_to_zero(all);
  const MatX U = all - R * (R.transpose() * (body.mass().asDiagonal() * all));
  std::vector<Eigen::Index> kept;  // columns that are more than rounding
  for (Eigen::Index c = 0; c < all.cols(); ++c)
    if (U.col(c).norm() > least_start * all.col(c).norm()) kept.push_back(c);
  return U(Eigen::all, kept);
}

}  // namespace

// EP, section 4.1: each order is K^+ M of the one before, made orthogonal to all before it.
BodyModes inertia_modes_of(RestBody& body, Index count, GramSchmidtOptions options) {
  activity::begin("inertia modes of " + body.name(), count);
  MassGramSchmidt orthogonal(body.rest(), body.mass(), count, options);
  MatX U(body.size(), 0), last = start(body);
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
                      GramSchmidtOptions options) {
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
