#include "sinew/modes/nonlinear_modes.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/modes/inertia_modes.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_derivatives.h"
#include "sinew/modes/mode_reduction.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

constexpr Index candidates_a_mode = 3;
constexpr Index most_candidates = 20000;
constexpr double motion_size = 0.1;  // of the scene's diagonal: the motions whose bending is weighed

Index elastic_freedom(const RestBody& body) {
  return body.free_count() - static_cast<Index>(body.rigid().cols());
}

// Modes of a body that are no rigid motions, with omega^2; of inertia modes those of the vibrations of their span.
ReducedModes linear_basis(RestBody& body, const NonlinearModeOptions& options) {
  const Index count = options.linear.number;
  const auto rigid = static_cast<Index>(body.rigid().cols());
  if (options.basis == LinearBasis::inertia) {
    MatX U = inertia_modes_of(body, std::min(count, elastic_freedom(body)), options.inertia).vectors;
    if (options.inertia.orthogonal.reduced) {  // nearly orthonormal: made so, for the vibrations
      MatX V(body.size(), 0);
      MassGramSchmidt(body.rest(), body.mass(), static_cast<Index>(U.cols()))
          .append(U, static_cast<Index>(U.cols()), V);
      U = std::move(V);
    }
    return vibrations_of_span(body, U);
  }
  BodyModes modes = linear_modes_of(body, std::min(count + rigid, body.free_count()));
  const auto kept = static_cast<Index>(modes.values.size()) - rigid;
  return {modes.values.tail(kept).eval(), modes.vectors.rightCols(kept).eval()};
}

// Amplitudes p_i = p_0 omega_0^2 / omega_i^2, by which softer modes move more (Barbic and James 2005, section 5), with
// p_0 so that the softest moves by `size` [m].
VecX amplitudes(const ReducedModes& modes, double size) {
  if (modes.values.size() == 0) return {};
  const VecX& softest = modes.vectors.col(0);
  const double largest =
      std::sqrt(Eigen::Map<const Points>(softest.data(), 3, softest.size() / 3).colwise().squaredNorm().maxCoeff());
  return modes.values.cwiseInverse() * (modes.values[0] * size / largest);
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

// A motion of amplitudes p is sum p_i u_i + 1/2 sum p_i p_j u_ij + .. up to signs: candidates count by what they have
// of it, those of the next order V^(m) of u_i and a candidate v of V^(m-1) by p_i times the share of v.
MatX mode_candidates(const System& system, RestBody& body, const NonlinearModeOptions& options) {
  const ReducedModes basis = linear_basis(body, options);
  const MatX& U = basis.vectors;
  const VecX p = amplitudes(basis, motion_size * system.diagonal);
  const StiffnessChange change(system, body);
  MatX V = mode_derivatives(body, change, U);
  for (Index i = 0, c = 0; i < U.cols(); ++i)
    for (Index j = i; j < U.cols(); ++j, ++c) V.col(c) *= (i == j ? 0.5 : 1.0) * p[i] * p[j];
  MatX all = beside(U * p.asDiagonal(), V);
  for (int order = 2; order <= options.order; ++order) {
    const Eigen::Index last_order = V.cols();
    V = higher_derivatives(body, change, U, V);
    for (Eigen::Index c = 0; c < V.cols(); ++c) V.col(c) *= p[c / last_order] / (order + 1);
    all = beside(all, V);
  }
  return all;
}

ModeSet nonlinear_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count,
                        const NonlinearModeOptions& options) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  const std::string kind = options.basis == LinearBasis::inertia ? "inertia_derivatives" : "derivatives";
  const Index number = modes_to_make(bodies, count, kind, false);
  const Index linear = options.linear.number > 0 ? options.linear.number : linear_mode_count(number);
  Index most = 0;
  for (const RestBody& body : bodies) most = std::max(most, elastic_freedom(body));
  if (options.linear.number > most)
    fail_input(code::modes,
               "{}: found {} linear modes to differentiate, expected at most {}, the modes of the body; ask for fewer",
               options.linear.key, linear, most);
  NonlinearModeOptions settled = options;
  settled.linear.number = linear;
  double candidates = linear, last = 0.5 * linear * (linear + 1.0);
  for (int order = 1; order <= options.order; ++order, last *= linear) candidates += last;
  if (candidates > most_candidates)
    fail_input(
        code::modes,
        "derivatives of order {} of {} linear modes are {:.3g} candidates, more than {}; take fewer linear modes or a "
        "lower order",
        options.order, linear, candidates, most_candidates);
  std::vector<BodyModes> parts;
  for (RestBody& body : bodies) {
    if (elastic_freedom(body) == 0) continue;
    ReducedModes modes = reduce_modes(body, mode_candidates(system, body, settled), number, options.reduction);
    parts.push_back({body.vertices(), std::move(modes.values), std::move(modes.vectors)});
  }
  ModeSet result;
  result.kind = kind;
  merge_modes(parts, system.dynamic_count, number, result.values, result.vectors);
  activity::finish();
  return result;
}

}  // namespace sinew
