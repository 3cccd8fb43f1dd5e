// Order of convergence of the elements: a displacement that satisfies Navier's equations, prescribed on the boundary of
// a box. u = grad(phi) with phi harmonic has no divergence and no Laplacian, so it is a solution for any lambda and mu.
#include <cmath>

#include "support/bodies.h"
#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include "sinew/mesh/quadratic_tets.h"
#include "sinew/potential/elastic_energy.h"

namespace sinew::test {
namespace {

// phi = (sin(2 x) + sin(2 z)) sinh(2 y).
Vec3 exact(const Vec3& p) {
  return 2 * Vec3(std::cos(2 * p[0]) * std::sinh(2 * p[1]),
                  (std::sin(2 * p[0]) + std::sin(2 * p[2])) * std::cosh(2 * p[1]),
                  std::cos(2 * p[2]) * std::sinh(2 * p[1]));
}

// Root mean square error at the middles of the tets, over that of the displacement.
double error_of(Elements elements, int cells, double poisson) {
  sinew::Setup setup;
  setup.bodies.push_back(
      body("box", make_box(Vec3(1, 1, 1), {cells, cells, cells}), material("neo_hookean", 1, poisson)));
  setup.bodies[0].elements = elements;
  const Tets corners = setup.bodies[0].mesh.tets;
  if (is_quadratic(elements)) make_quadratic(setup.bodies[0].mesh);
  const auto system = build_system(std::move(setup));
  const Index n = system->dynamic_count;
  const ElasticEnergy energy(*system);
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  SymBlockMatrix H(make_pattern(n, pairs));
  Points g = Points::Zero(3, n), u = Points::Zero(3, n);
  energy.add_derivatives(system->rest, 1, Projection::none, g, H);
  // K u = 0 at inner vertices: one step from u = 0 there.
  std::vector<char> fixed(3 * static_cast<std::size_t>(n), 0);
  for (Index v = 0; v < n; ++v) {
    if (system->rest.col(v).cwiseAbs().maxCoeff() < 0.5 - 1e-9) continue;
    for (int k = 0; k < 3; ++k) fixed[3 * v + k] = 1;
    u.col(v) = exact(system->rest.col(v));
  }
  VecX force(3 * n);
  H.multiply(u.data(), force.data());
  std::vector<Eigen::Triplet<double>> entries;
  for (Index row = 0; row < n; ++row)
    for (std::int64_t s = H.pattern().row_begin[row]; s < H.pattern().row_begin[row + 1]; ++s)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const Index a = 3 * row + i, b = 3 * H.pattern().columns[s] + j;
          if (fixed[a] || fixed[b]) continue;
          entries.emplace_back(a, b, H.block(s)[3 * j + i]);
          if (a / 3 != b / 3) entries.emplace_back(b, a, H.block(s)[3 * j + i]);
        }
  for (Index k = 0; k < 3 * n; ++k)
    if (fixed[k]) entries.emplace_back(k, k, 1.0), force[k] = 0;
  Eigen::SparseMatrix<double> K(3 * n, 3 * n);
  K.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(K);
  u -= solver.solve(force).reshaped(3, n);
  double error = 0, size = 0;
  const auto add = [&](const Vec3& at, const Vec3& found) {
    error += (found - exact(at)).squaredNorm();
    size += exact(at).squaredNorm();
  };
  if (is_quadratic(elements)) {
    for (const auto& tet : system->quadratic_tets.colwise()) {
      Vec3 at = Vec3::Zero(), found = Vec3::Zero();
      for (int a = 0; a < 10; ++a) {
        const double shape = a < 4 ? -1.0 / 8 : 1.0 / 4;
        at += shape * system->rest.col(tet[a]);
        found += shape * u.col(tet[a]);
      }
      add(at, found);
    }
  } else {
    for (const auto& tet : system->tets.colwise()) {
      Vec3 at = Vec3::Zero(), found = Vec3::Zero();
      for (const Index v : tet) at += system->rest.col(v) / 4, found += u.col(v) / 4;
      add(at, found);
    }
  }
  return std::sqrt(error / size);
}

double order_of(Elements elements, int cells, double poisson) {
  return std::log2(error_of(elements, cells, poisson) / error_of(elements, 2 * cells, poisson));
}

TEST(ElementOrder, LinearTetsHaveOrderTwo) {
  EXPECT_NEAR(order_of(Elements::linear, 4, 0.3), 2, 0.2);
  EXPECT_NEAR(order_of(Elements::linear_mixed, 4, 0.3), 2, 0.2);
}

TEST(ElementOrder, TenNodeTetsHaveOrderThree) {
  EXPECT_GE(order_of(Elements::quadratic, 3, 0.3), 2.8);
  EXPECT_GE(order_of(Elements::quadratic_mixed, 3, 0.3), 2.8);
}

// Near nu = 0.5 only mixed elements keep their order.
TEST(ElementOrder, MixedTenNodeTetsKeepTheirOrderNearOneHalf) {
  EXPECT_GE(order_of(Elements::quadratic_mixed, 3, 0.4999), 2.8);
  EXPECT_LT(error_of(Elements::quadratic_mixed, 4, 0.4999), 0.5 * error_of(Elements::quadratic, 4, 0.4999));
}

}  // namespace
}  // namespace sinew::test
