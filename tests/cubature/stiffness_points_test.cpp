// Rules of few points fitted to the reduced stiffness of whole bodies.
#include "sinew/cubature/stiffness_points.h"

#include <numeric>

#include "support/domains.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/cubature/cluster_points.h"
#include "sinew/cubature/cluster_stiffness.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

struct RatioSpread {
  double least, most;
};

// Ratios of a rule's energies to the full ones in all directions of the handles but rigid ones.
RatioSpread ratios_of(const Domain& domain, const HandleBasis& basis, const Cubature& rule) {
  std::vector<Index> all(domain.tet_count());
  std::iota(all.begin(), all.end(), 0);
  const ClusterStiffness stiffness(domain, basis, all);
  const MatX Y = stiffness.whitened(rule.tets);
  MatX sum = MatX::Zero(stiffness.rank(), stiffness.rank());
  for (Index k = 0; k < rule.point_count(); ++k)
    sum += rule.weights[k] * Y.middleCols<6>(6 * k) * Y.middleCols<6>(6 * k).transpose();
  const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(sum, Eigen::EigenvaluesOnly).eigenvalues();
  return {values.minCoeff(), values.maxCoeff()};
}

Domain bar_with_inclusion(double contrast) {
  Domain domain = test::domain_of(
      make_box({2, 0.5, 0.5}, {32, 8, 8}), [](const Vec3&) { return 1e6; },
      [](const Vec3& x) { return x[0] < -0.999; });
  test::set_material(domain, 1, contrast * 1e6, [](const Vec3& x) { return std::abs(x[0] - 0.3) < 0.2; });
  return domain;
}

TEST(ClusterStiffness, IsTheIdentityAndItsLeveragesSumToTheRank) {
  const Domain domain = bar_with_inclusion(100);
  const HandleBasis basis = skinning_eigenmodes(domain, 4);
  std::vector<Index> all(domain.tet_count());
  std::iota(all.begin(), all.end(), 0);
  const ClusterStiffness stiffness(domain, basis, all);
  EXPECT_EQ(stiffness.rank(), 48);  // one end is held: no rigid motions
  EXPECT_NEAR(stiffness.leverage().sum(), 48, 1e-8);
  const RatioSpread full = ratios_of(domain, basis, {all, std::vector<double>(all.size(), 1.0)});
  EXPECT_NEAR(full.least, 1, 1e-9);
  EXPECT_NEAR(full.most, 1, 1e-9);
}

TEST(StiffnessPoints, BoundEnergiesWhereClustersDoNot) {
  for (const double contrast : {1.0, 1e-3, 1e3}) {
    const Domain domain = bar_with_inclusion(contrast);
    std::vector<double> values;
    const HandleBasis basis = skinning_eigenmodes(domain, 8, &values);
    const Cubature rule = stiffness_points(domain, basis, 192);
    EXPECT_LE(rule.point_count(), 192);
    EXPECT_GT(rule.point_count(), 170);
    const RatioSpread spread = ratios_of(domain, basis, rule);
    EXPECT_GT(spread.least, 0.8) << contrast;
    EXPECT_LT(spread.most, 1.25) << contrast;
    ClusterPointsOptions options;
    options.points = 192;
    const RatioSpread clusters = ratios_of(domain, basis, cluster_points(domain, basis, values, options));
    EXPECT_LT(clusters.least, 0.6) << contrast;
    const RatioSpread few = ratios_of(domain, basis, stiffness_points(domain, basis, 64));
    EXPECT_GT(few.least, 0.3) << contrast;
  }
}

// Rules of more points than are fitted at once are means of several fits.
TEST(StiffnessPoints, ManyPointsComeCloser) {
  const Domain domain = bar_with_inclusion(10);
  const HandleBasis basis = skinning_eigenmodes(domain, 4);
  const Cubature rule = stiffness_points(domain, basis, 1300);
  EXPECT_GT(rule.point_count(), 1200);
  const RatioSpread spread = ratios_of(domain, basis, rule);
  EXPECT_GT(spread.least, 0.97);
  EXPECT_LT(spread.most, 1.03);
}

TEST(StiffnessPoints, EachBodyHasItsOwnAndTheBitsRepeat) {
  const Domain domain = test::domain_of(test::joined({make_box({2, 1, 1}, {8, 4, 4}), make_sphere(0.5, 0.2)}));
  const HandleBasis basis = skinning_eigenmodes(domain, 4);
  const Cubature rule = stiffness_points(domain, basis, 100);
  std::vector<Index> points(domain.component_count, 0);
  for (const Index t : rule.tets) ++points[domain.component[t]];
  for (const Index count : points) EXPECT_GE(count, 4);
  const ThreadLimit one(1);
  const Cubature alone = stiffness_points(domain, basis, 100);
  EXPECT_EQ(rule.tets, alone.tets);
  EXPECT_EQ(rule.weights, alone.weights);
}

TEST(StiffnessPoints, AllTetsWhereFewAreLeftOutAndOneWhereNothingMoves) {
  const Domain domain = test::domain_of(make_box({1, 1, 1}, {2, 2, 2}));
  const HandleBasis basis = skinning_eigenmodes(domain, 2);
  const Cubature most = stiffness_points(domain, basis, domain.tet_count() - 1);
  EXPECT_EQ(most.point_count(), domain.tet_count());
  for (const double w : most.weights) EXPECT_EQ(w, 1);
  EXPECT_THROW(stiffness_points(domain, basis, 1), InputError);
  EXPECT_THROW(stiffness_points(domain, basis, domain.tet_count() + 1), InputError);
  HandleBasis none;
  none.begin.assign(domain.vertex_count() + 1, 0);
  const Cubature still = stiffness_points(domain, none, 5);
  ASSERT_EQ(still.point_count(), 1);
  EXPECT_NEAR(still.weights[0] * domain.volume[still.tets[0]], 1, 1e-12);
}

}  // namespace
}  // namespace sinew
