#include "sinew/perturbation/buckling.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/linalg/pencil_lanczos.h"
#include "sinew/perturbation/load_change.h"

namespace sinew {
namespace {

// The displacement gradient of the difference quotient of the Hessian: its square is the error by differences, and
// rounding over it the other one.
constexpr double small_strain = 1e-4;
// Displacement gradients before buckling with which linear buckling means little.
constexpr double large_strain = 0.3;
// Eigenvalues below this share of the largest one are those of motions that the load does not affect.
constexpr double unaffected = 1e-6;
constexpr double residual = 1e-6;  // of eigenpairs; slender bodies leave 1e-9 by rounding

// The largest change of a tet's edge over its length.
double largest_strain(const System& system, const Points& x, const Points& u) {
  double largest = 0;
  for (Index t = 0; t < system.tet_count(); ++t)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const Index a = system.tets(i, t), b = system.tets(j, t);
        largest = std::max(largest, (u.col(a) - u.col(b)).norm() / (x.col(a) - x.col(b)).norm());
      }
  return largest;
}

Points lifted(const Tangent& tangent, const VecX& u) {
  const System& system = tangent.system();
  Points full = Points::Zero(3, system.vertex_count());
  full.leftCols(system.dynamic_count) = Eigen::Map<const Points>(u.data(), 3, system.dynamic_count);
  MatX placed = u;
  tangent.place_tied(placed);
  full.leftCols(system.dynamic_count) = Eigen::Map<const Points>(placed.data(), 3, system.dynamic_count);
  system.embedding.place(full);
  return full;
}

void add(const SymBlockMatrix& from, double scale, SymBlockMatrix& to) {
  SymBlockMatrix scaled = from;
  scaled.scale(scale);
  to.add(scaled);
}

// K_G = dK/d lambda: how the Hessian changes with the displacement u of the linear analysis, by central differences,
// and with the loads at the state. Contacts keep their stiffness.
SymBlockMatrix geometric_stiffness(Tangent& tangent, const Points& u) {
  const State& state = tangent.state();
  const auto bare = static_system(tangent.system(), ContactTangent::open);
  StaticPotential now(bare, state, state.time), full(bare, state, 1);
  const double strain = largest_strain(*bare, state.x, u);
  if (!(strain > 0))
    fail_input(code::modes,
               "buckling: the loads deform no body, expected loads that compress one; check loads and fixes");
  const double h = small_strain / strain;
  SymBlockMatrix K(tangent.stiffness().shared_pattern());
  add(now.hessian(state.x + h * u), 1 / (2 * h), K);
  add(now.hessian(state.x - h * u), -1 / (2 * h), K);
  K.add(full.hessian(state.x));
  add(now.hessian(state.x), -1, K);
  return K;
}

}  // namespace

// K + lambda K_G is singular for -K_G phi = theta K phi with lambda = 1 / theta, so that the largest theta give the
// smallest positive factors.
ModeSet buckling(Tangent& tangent, const BucklingOptions& options) {
  activity::begin("buckling", options.count);
  SymBlockMatrix K = tangent.stiffness();
  const std::unique_ptr<SparseCholesky> factor = tangent.factor(K);
  if (!factor)
    fail_input(
        code::modes,
        "buckling: the stiffness without load is not positive definite; expected bodies that fixes, springs or "
        "closed contacts hold, in a stable state. `sinew modes` with --state shows the motions without stiffness");
  const LoadChange change = load_change(tangent, "buckling");
  const Points u = lifted(tangent, linear_response(tangent, *factor, change));
  const SymBlockMatrix G = geometric_stiffness(tangent, u);
  Pencil pencil;
  pencil.rows = tangent.rows();
  const double sign = options.reverse ? 1 : -1;
  pencil.multiply_a = [&](const MatX& v) -> MatX {
    MatX f = sign * Tangent::multiply(G, v);
    tangent.set_fixed_to_zero(f);
    return f;
  };
  pencil.multiply_b = [&](const MatX& v) { return Tangent::multiply(K, v); };
  pencil.solve_b = [&](const MatX& b) { return tangent.solve(*factor, b); };
  PencilOptions search;
  search.tolerance = residual;
  search.floor = unaffected;
  search.after_block = activity::reached;
  const Eigenpairs pairs = largest_pencil_pairs(pencil, std::min(options.count, tangent.free_count()), search);
  Index positive = 0;
  while (positive < pairs.values.size() && pairs.values[positive] > unaffected * std::abs(pairs.values[0])) ++positive;
  if (pairs.values.size() > 0 && !(pairs.values[0] > 0)) positive = 0;
  ModeSet modes;
  modes.kind = "buckling";
  modes.values = pairs.values.head(positive).cwiseInverse();
  modes.vectors = pairs.vectors.leftCols(positive);
  tangent.place_tied(modes.vectors);
  for (Index k = 0; k < positive; ++k) {
    const auto shape = Eigen::Map<const Points>(modes.vectors.col(k).data(), 3, tangent.system().dynamic_count);
    modes.vectors.col(k) /= shape.colwise().norm().maxCoeff();
  }
  if (const double strain = largest_strain(tangent.system(), tangent.state().x, u);
      positive > 0 && modes.values[0] * strain > large_strain)
    log::warning(
        "at the lowest load factor, {:.4g}, displacement gradients of the linear analysis reach {:.2g}. Linear "
        "buckling "
        "assumes small ones: the bodies do not buckle before they deform",
        modes.values[0], modes.values[0] * strain);
  activity::finish();
  return modes;
}

}  // namespace sinew
