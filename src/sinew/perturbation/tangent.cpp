#include "sinew/perturbation/tangent.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/log.h"
#include "sinew/core/sort_unique.h"
#include "sinew/kinematics/tied_hessian.h"
#include "sinew/potential/edge_springs.h"

namespace sinew {
namespace {

// Of the largest force of a term: with more, a state is no equilibrium.
constexpr double balanced = 1e-2;
// Of the largest stiffness times the size of the scene: forces below it are rounding.
constexpr double rounding = 1e-11;

// A diagonal that fixed coordinates get, as large as the others'.
double largest_diagonal(const SymBlockMatrix& A) {
  double largest = 0;
  for (Index i = 0; i < A.rows(); ++i)
    for (int k = 0; k < 9; k += 4) largest = std::max(largest, std::abs(A.block(A.pattern().row_begin[i])[k]));
  return largest > 0 ? largest : 1;
}

void add_to_diagonal(Index i, double value, SymBlockMatrix& A) {
  for (int k = 0; k < 9; k += 4) A.block(A.pattern().row_begin[i])[k] += value;
}

}  // namespace

Tangent::Tangent(const System& system, const State& state, ContactTangent contact)
    : state_(state), system_(static_system(system, contact)) {
  if (system_->setup.spin)
    log::warning(
        "linear analyses in a rotating frame leave out the Coriolis force: their frequencies are those of "
        "motions along the axis");
  if (system_->flows())
    log::warning(
        "linear analyses of materials that flow: at the limit of yield, the stiffness may be elastic or plastic");
  potential_ = std::make_unique<StaticPotential>(system_, state_, state_.time);
  const bool ideal = contact == ContactTangent::tied || contact == ContactTangent::sliding;
  K_ = ideal ? potential_->hessian_with_projected_contacts(state_.x) : potential_->hessian(state_.x);
  free_ = static_cast<Index>(std::count(fixed().begin(), fixed().end(), 0));
  const Points g = potential_->gradient(state_.x);
  double unbalanced = 0;
  for (Eigen::Index c = 0; c < g.size(); ++c)
    if (!fixed()[static_cast<std::size_t>(c)]) unbalanced = std::max(unbalanced, std::abs(g.data()[c]));
  if (unbalanced > rounding * largest_diagonal(K_) * system_->diagonal)
    imbalance_ = unbalanced / potential_->potential().largest_force(state_.x);
  if (imbalance_ > balanced)
    log::warning(
        "the forces of the state do not balance: {:.2g} of the largest force remains. Analyses are linear about this "
        "state all the same; for an equilibrium, use the last state of a static run of the scene",
        imbalance_);
}

void Tangent::set_fixed_to_zero(MatX& vectors) const {
  for (Eigen::Index c = 0; c < vectors.rows(); ++c)
    if (fixed()[static_cast<std::size_t>(c)]) vectors.row(c).setZero();
}

MatX Tangent::multiply(const SymBlockMatrix& A, const MatX& u) {
  MatX f(u.rows(), u.cols());
  for (Eigen::Index c = 0; c < u.cols(); ++c) A.multiply(u.col(c).data(), f.col(c).data());
  return f;
}

// P^T M P u, with the lumped M.
MatX Tangent::multiply_mass(const MatX& u) const {
  MatX f(u.rows(), u.cols());
  for (Eigen::Index c = 0; c < u.cols(); ++c) {
    Points w = Eigen::Map<const Points>(u.col(c).data(), 3, system_->dynamic_count);
    if (ties()) ties()->place(w);
    for (Index i = 0; i < system_->dynamic_count; ++i) w.col(i) *= system_->mass[i];
    if (ties()) {
      ties()->pull_back(w, w);
      for (const Index tied : ties()->followers()) w.col(tied).setZero();
    }
    f.col(c) = Eigen::Map<const VecX>(w.data(), w.size());
  }
  return f;
}

SymBlockMatrix Tangent::mass() const {
  std::vector<std::pair<Index, Index>> pairs;
  if (ties())
    for (const Index tied : ties()->followers())
      for (const Embedding::Entry& a : ties()->row(tied))
        for (const Embedding::Entry& b : ties()->row(tied))
          if (a.vertex < b.vertex) pairs.emplace_back(a.vertex, b.vertex);
  SymBlockMatrix M(make_pattern(system_->dynamic_count, pairs));
  for (Index i = 0; i < system_->dynamic_count; ++i)
    if (!ties() || !ties()->follows(i)) add_to_diagonal(i, system_->mass[i], M);
  if (!ties()) return M;
  for (const Index tied : ties()->followers())
    for (const Embedding::Entry& a : ties()->row(tied))
      for (const Embedding::Entry& b : ties()->row(tied)) {
        if (a.vertex > b.vertex) continue;
        const std::int64_t slot = M.pattern().find(a.vertex, b.vertex);
        for (int k = 0; k < 9; k += 4) M.block(slot)[k] += system_->mass[tied] * a.weight * b.weight;
      }
  return M;
}

// C = zeta M + xi K_e by bodies, as DampingEnergy has it, but with the exact elastic Hessian.
SymBlockMatrix Tangent::damping() {
  const IncrementalPotential& potential = potential_->potential();
  SymBlockMatrix C(K_.shared_pattern());
  std::vector<Index> tets;
  std::vector<double> weights, by_body;
  for (const SystemBody& body : system_->bodies) by_body.push_back(body.damping_stiffness);
  for (Index t = 0; t < system_->elastic_tet_count(); ++t) {
    if (!(by_body[system_->tet_body[t]] > 0)) continue;
    tets.push_back(t);
    weights.push_back(by_body[system_->tet_body[t]]);
  }
  Points unused = Points::Zero(3, system_->dynamic_count);
  if (!tets.empty()) potential.elastic().add_derivatives(state_.x, tets, weights, 1, Projection::none, unused, C);
  EdgeSpringEnergy(*system_).add_hessian(state_.x, by_body, Projection::none, C);
  for (Index i = 0; i < system_->dynamic_count; ++i)
    add_to_diagonal(i, system_->bodies[system_->vertex_body[i]].damping_mass * system_->mass[i], C);
  TiedHessian().condense(potential_->context().ties, C);
  return C;
}

std::unique_ptr<SparseCholesky> Tangent::factor(SymBlockMatrix& A) const {
  A.constrain(fixed(), largest_diagonal(A));
  auto factor = std::make_unique<SparseCholesky>();
  return factor->compute(A) ? std::move(factor) : nullptr;
}

MatX Tangent::solve(SparseCholesky& factor, MatX b) const {
  set_fixed_to_zero(b);
  factor.solve(b, b);
  set_fixed_to_zero(b);
  return b;
}

void Tangent::place_tied(MatX& vectors) const {
  if (!ties()) return;
  for (Eigen::Index c = 0; c < vectors.cols(); ++c) {
    Points u = Eigen::Map<const Points>(vectors.col(c).data(), 3, system_->dynamic_count);
    ties()->place(u);
    vectors.col(c) = Eigen::Map<const VecX>(u.data(), u.size());
  }
}

}  // namespace sinew
