#include "sinew/perturbation/vibrations.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/linalg/pencil_lanczos.h"

namespace sinew {
namespace {

constexpr double shift_share = 0.01;        // of E / (rho r^2)
constexpr double growth = 4;                // of the shift, while K + shift M is not positive definite
constexpr int most_growths = 40;            // by 4^40 the shift passes any stiffness
constexpr double without_stiffness = 1e-7;  // of the shift: what rounding leaves of an eigenvalue 0

// E / (rho r^2) of the softest body [1/s^2], r half the diagonal of all bodies; for bodies of springs, a share of the
// mean stiffness over mass.
double first_shift(const Tangent& tangent) {
  const System& system = tangent.system();
  std::vector<double> mass(system.bodies.size(), 0.0);
  for (Index i = 0; i < system.dynamic_count; ++i) mass[system.vertex_body[i]] += system.mass[i];
  double softest = 0;
  for (std::size_t b = 0; b < mass.size(); ++b) {
    const double r = system.diagonal / 2, own = system.bodies[b].stiffness / (mass[b] * r * r);
    if (own > 0 && mass[b] > 0 && (softest == 0 || own < softest)) softest = own;
  }
  if (softest > 0) return shift_share * softest;
  constexpr double share = 1e-6;
  double stiffness = 0, sum = 0;
  for (Index i = 0; i < system.dynamic_count; ++i) {
    const double* block = tangent.stiffness().block(tangent.stiffness().pattern().row_begin[i]);
    stiffness += std::abs(block[0] + block[4] + block[8]) / 3;
    sum += system.mass[i];
  }
  return share * stiffness / sum;
}

SymBlockMatrix shifted(const Tangent& tangent, const SymBlockMatrix& M, double shift) {
  std::vector<std::pair<Index, Index>> pairs;
  const BlockPattern& of_mass = M.pattern();
  for (Index i = 0; i < M.rows(); ++i)
    for (std::int64_t s = of_mass.row_begin[i]; s < of_mass.row_begin[i + 1]; ++s)
      if (of_mass.columns[s] != i) pairs.emplace_back(i, of_mass.columns[s]);
  SymBlockMatrix A = tangent.stiffness();
  if (!A.pattern().contains(pairs)) {
    SymBlockMatrix wider(extend_pattern(A.pattern(), pairs));
    wider.add(A);
    A = std::move(wider);
  }
  SymBlockMatrix scaled = M;
  scaled.scale(shift);
  A.add(scaled);
  return A;
}

}  // namespace

// The pencil M u = theta (K + s M) u has theta = 1 / (omega^2 + s), of which the largest are sought. The shift s grows
// until K + s M is positive definite: then -s lies below all eigenvalues, also those of unstable states.
ModeSet vibrations(const Tangent& tangent, Index count) {
  if (count > tangent.free_count())
    fail_input(code::modes,
               "--count: found {} modes, expected at most {}, the number of free coordinates; ask for fewer", count,
               tangent.free_count());
  activity::begin("vibrations", count);
  const SymBlockMatrix M = tangent.mass();
  double shift = first_shift(tangent);
  SymBlockMatrix A;
  std::unique_ptr<SparseCholesky> factor;
  for (int tried = 0; !factor; ++tried) {
    if (tried == most_growths)
      throw SimulationError(
          code::factorization,
          fmt::format("the stiffness of the state plus {:.3g} times the mass is not positive definite; "
                      "check the state for tets that are nearly flat",
                      shift));
    if (tried > 0) shift *= growth;
    A = shifted(tangent, M, shift);
    factor = tangent.factor(A);
  }
  Pencil pencil;
  pencil.rows = tangent.rows();
  pencil.multiply_a = [&](const MatX& u) { return Tangent::multiply(M, u); };
  pencil.multiply_b = [&](const MatX& u) { return Tangent::multiply(A, u); };
  pencil.solve_b = [&](const MatX& b) { return tangent.solve(*factor, b); };
  PencilOptions options;
  options.after_block = activity::reached;
  Eigenpairs pairs = largest_pencil_pairs(pencil, count, options);
  ModeSet modes;
  modes.kind = "vibrations";
  modes.values = pairs.values.cwiseInverse().array() - shift;
  for (double& value : modes.values)
    if (std::abs(value) < without_stiffness * shift) value = 0;
  // They are orthonormal in K + s M, so that u^T M u = theta.
  modes.vectors = pairs.vectors * pairs.values.cwiseSqrt().cwiseInverse().asDiagonal();
  tangent.place_tied(modes.vectors);
  activity::finish();
  return modes;
}

}  // namespace sinew
