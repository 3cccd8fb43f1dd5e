#include "sinew/modes/inertia_modes.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

// Displacements along each axis of the monomials of a degree in the place about the middle: 9 of degree 1, 18 of 2.
MatX monomials(const RestBody& body, int degree) {
  const Points& X = body.rest();
  const Vec3 center = X.rowwise().mean();
  const double radius = (X.colwise() - center).colwise().norm().maxCoeff();
  std::vector<VecX> functions;
  const auto add = [&](auto&& f) {
    VecX values(X.cols());
    for (Eigen::Index v = 0; v < X.cols(); ++v) values[v] = f(Vec3((X.col(v) - center) / radius));
    functions.push_back(values);
  };
  for (int i = 0; degree == 1 && i < 3; ++i) add([i](const Vec3& x) { return x[i]; });
  for (int i = 0; degree == 2 && i < 3; ++i)
    for (int j = i; j < 3; ++j) add([i, j](const Vec3& x) { return x[i] * x[j]; });
  MatX U = MatX::Zero(body.size(), 3 * static_cast<Index>(functions.size()));
  for (std::size_t f = 0; f < functions.size(); ++f)
    for (int k = 0; k < 3; ++k)
      for (Eigen::Index v = 0; v < X.cols(); ++v) U(3 * v + k, 3 * static_cast<Index>(f) + k) = functions[f][v];
  body.set_fixed_to_zero(U);
  return U;
}

MatX beside(const MatX& a, const MatX& b) {
  MatX both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

// U^(0).
MatX start(const RestBody& body) {
  if (body.rigid().cols() == 0) return body.turns_and_shifts();
  MatX U = beside(monomials(body, 1), monomials(body, 2));
  U -= body.rigid() * (body.rigid().transpose() * (body.mass().asDiagonal() * U)).eval();
  return U;
}

}  // namespace

InertiaModes inertia_modes(const System& system, const std::vector<char>& fixed, Index count,
                           GramSchmidtOptions options) {
  std::vector<RestBody> bodies = rest_bodies(system, fixed);
  InertiaModes result;
  std::vector<BodyModes> parts;
  for (RestBody& body : bodies) {
    activity::begin("inertia modes");
    const auto most = std::min<Index>(count, body.free_count() - static_cast<Index>(body.rigid().cols()));
    MassGramSchmidt orthogonal(body.rest(), body.mass(), most, options);
    MatX U(body.size(), 0), last = start(body);
    while (U.cols() < most) {
      const Stopwatch solving;
      const MatX next = body.solve(body.mass().asDiagonal() * last);
      result.solve_seconds += solving.seconds();
      const Stopwatch orthogonalising;
      const auto before = static_cast<Index>(U.cols());
      orthogonal.append(next, most, U);
      result.orthogonal_seconds += orthogonalising.seconds();
      if (U.cols() == before) break;  // the Krylov space is exhausted
      last = U.rightCols(U.cols() - before);
      activity::advance();
    }
    BodyModes part;
    part.values.resize(U.cols());
    const MatX KU = body.multiply(U);
    for (Eigen::Index k = 0; k < U.cols(); ++k) part.values[k] = U.col(k).dot(KU.col(k));
    part.vertices = body.vertices();
    part.vectors = std::move(U);
    parts.push_back(std::move(part));
  }
  merge_modes(parts, system.dynamic_count, count, result.values, result.vectors);
  activity::finish();
  return result;
}

}  // namespace sinew
