// The linear system of modes and enriched vertices against a dense solution.
#include "sinew/adaptive/enriched_system.h"

#include <numeric>

#include "linalg/linalg_fixtures.h"
#include "solver/bent_bar.h"
#include "solver/mode_columns.h"
#include <Eigen/Dense>

#include "sinew/partition/domain.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

using namespace test;

// The share of enriched vertices, whether H_x is factored, and the number of dense modes.
class Enriched : public testing::TestWithParam<std::tuple<double, bool, Index>> {};

// Shares of enriched vertices from none to all, in contact with the floor.
TEST_P(Enriched, SolvesTheWholeSystem) {
  Bent bent([](SolverSetup&) {}, 1e2);
  const Index n = bent.system->dynamic_count;
  hold_some_axes(bent);
  const ModeBasis basis{skinning_eigenmodes(make_domain(*bent.system, bent.context.prescribed), 3),
                        waves(bent, std::get<2>(GetParam()))};
  std::vector<char> enriched(n, 0);
  for (Index i = 0; i < n; ++i) enriched[i] = bent.system->rest(0, i) > 0.3001 - 0.61 * std::get<0>(GetParam());
  std::vector<Index> one_region(bent.system->tet_count(), 0);
  RegionHessians regions(bent.system, one_region, 1);
  regions.set_basis(basis, bent.context.prescribed);
  regions.set_rigid(enriched);
  regions.evaluate(bent.x, bent.context.scale, {}, {}, 1, Projection::psd);

  Points g;
  SymBlockMatrix H, whole;
  bent.potential->derivatives(bent.x, {}, g, whole);
  SymBlockMatrix bodies;
  bent.potential->derivatives(bent.x, {.bodies = &bodies, .without_elastic = true}, g, H);
  const std::vector<double> ones(regions.exact_tets().size(), 1.0);
  regions.add_gradient(g);
  if (!ones.empty()) {
    const ElasticEnergy& elastic = bent.potential->elastic();
    Points unused = g;
    elastic.add_derivatives(bent.x, regions.exact_tets(), ones, bent.context.scale, Projection::psd, g, H);
    elastic.add_derivatives(bent.x, regions.exact_tets(), ones, bent.context.scale, Projection::psd, unused, bodies);
  }
  Points expected_gradient;
  bent.potential->gradient(bent.x, expected_gradient);
  EXPECT_LT((g - expected_gradient).norm(), 1e-13 * expected_gradient.norm());

  const bool factored = std::get<1>(GetParam());
  EnrichedSystem system(bent.system, factored ? 1e300 : 0.0);
  system.set_mesh(bent.potential->mesh_pattern());
  EXPECT_EQ(system.wants_bodies(n), !factored);
  std::vector<Index> slices(n);  // of the bar
  for (Index i = 0; i < n; ++i) slices[i] = static_cast<Index>(10 * (bent.system->rest(0, i) + 0.31));
  system.set_regions(slices);
  system.set_basis(basis, bent.context.prescribed);
  system.set(H, factored ? nullptr : &bodies, false, regions, true, enriched);
  const MatX B = mode_columns(bent, basis, enriched);
  const MatX A = B.transpose() * dense(whole) * B;
  const VecX b = -VecX::Map(g.data(), 3 * n);
  // Empty columns, of modes whose vertices are all enriched, have no coordinates.
  const VecX expected = B * A.completeOrthogonalDecomposition().solve(B.transpose() * b);
  ASSERT_TRUE(system.factor());
  VecX q;
  Points d = Points::Constant(3, bent.system->vertex_count(), 7.0), rhs = -g;
  const LinearSolveReport report = system.solve(rhs, 1e-10, 1000, q, d);
  EXPECT_TRUE(report.ok);
  double error = 0;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      if (bent.context.prescribed[3 * i + k]) {
        EXPECT_EQ(d(k, i), 7.0);  // prescribed coordinates are the caller's
      } else {
        error = std::max(error, std::abs(d(k, i) - expected[3 * i + k]));
      }
    }
  // The diagonal of H_q has 1e-11 of itself added (handle_matrix.h), times its condition.
  EXPECT_LT(error, 1e-5 * expected.cwiseAbs().maxCoeff());

  // The modes alone, as if nothing were enriched.
  VecX alone;
  ASSERT_TRUE(system.solve_modes_alone(rhs, alone));
  const MatX U = mode_columns(bent, basis, std::vector<char>(n, 0));
  const VecX q_expected = (U.transpose() * dense(whole) * U).completeOrthogonalDecomposition().solve(U.transpose() * b);
  EXPECT_LT((U * (alone - q_expected)).norm(), 1e-5 * (U * q_expected).norm());
}

INSTANTIATE_TEST_SUITE_P(Shares, Enriched,
                         testing::Combine(testing::Values(0.0, 0.1, 0.5, 0.9, 1.0), testing::Bool(),
                                          testing::Values(0, 17)));

}  // namespace
}  // namespace sinew
