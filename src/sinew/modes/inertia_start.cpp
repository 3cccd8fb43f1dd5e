#include "sinew/modes/inertia_start.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/monomials.h"

namespace sinew {
namespace {

// Of a displacement's norm: what rounding leaves of one that is a rigid motion.
constexpr double least_start = 1e-8;

// The columns of [turns_and_shifts(), monomials()], 6 + 27, that a name stands for.
struct StartColumns {
  Index begin = 0, count = 1;
};
constexpr Index rigid_count = 6, linear_count = 9;

StartColumns columns_of(const std::string& name) {
  const std::vector<std::string>& names = inertia_starts();
  const auto k = static_cast<Index>(std::ranges::find(names, name) - names.begin());
  if (k < rigid_count) return {k, 1};
  return name == "linear" ? StartColumns{rigid_count, linear_count}
                          : StartColumns{rigid_count + linear_count, monomial_count - linear_count};
}

MatX beside(const MatX& a, const MatX& b) {
  MatX both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

// The displacements that start the iteration, with what of them are allowed motions.
MatX named(const RestBody& body, const InertiaStart& names) {
  if (names.empty() && body.rigid().cols() == 0) return body.turns_and_shifts();
  MatX all = beside(body.turns_and_shifts(), monomials(body.rest()));
  body.set_fixed_to_zero(all);
  if (names.empty()) return all;
  std::vector<Index> chosen;
  for (const std::string& name : names)
    for (StartColumns c = columns_of(name); c.count > 0; ++c.begin, --c.count) chosen.push_back(c.begin);
  return all(Eigen::all, chosen);
}

// Orthonormal columns of the same span; those that depend on columns before them are left out. Errors of solutions
// would otherwise decide about their directions.
MatX independent_columns(const RestBody& body, const MatX& columns) {
  MassGramSchmidt orthogonal(body.rest(), body.mass(), static_cast<Index>(columns.cols()));
  MatX result(columns.rows(), 0);
  orthogonal.append(columns, static_cast<Index>(columns.cols()), result);
  return result;
}

}  // namespace

const std::vector<std::string>& inertia_starts() {
  static const std::vector<std::string> names = {"x", "y", "z", "rx", "ry", "rz", "linear", "quadratic"};
  return names;
}

// U^(0) - R R^T M U^(0) with the allowed rigid motions R. Columns that are rounding after it are left out.
MatX inertia_start(const RestBody& body, const InertiaStart& names) {
  MatX all = named(body, names);
  const MatX& R = body.rigid();
  if (R.cols() == 0) return all;
  const MatX U = all - R * (R.transpose() * (body.mass().asDiagonal() * all));
  std::vector<Eigen::Index> kept;
  for (Eigen::Index c = 0; c < all.cols(); ++c)
    if (U.col(c).norm() > least_start * all.col(c).norm()) kept.push_back(c);
  if (kept.empty() && !names.empty())
    fail_input(code::modes,
               "{}: found the start {} of inertia modes, with which it moves without strain; expected \"linear\" or "
               "\"quadratic\" too, or a body that is held",
               body.name(), fmt::join(names, ","));
  return independent_columns(body, U(Eigen::all, kept));
}

}  // namespace sinew
