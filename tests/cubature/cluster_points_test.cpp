// Points from clusters of tets.
#include "sinew/cubature/cluster_points.h"

#include "support/domains.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

double cluster_volume(const Domain& domain, const Cubature& cubature) {
  double sum = 0;
  for (Index k = 0; k < cubature.point_count(); ++k) sum += cubature.weights[k] * domain.volume[cubature.tets[k]];
  return sum;
}

TEST(ClusterPoints, ShareOutTheVolumeAndRepeat) {
  const Domain domain = test::domain_of(test::joined({make_box({2, 1, 1}, {8, 4, 4}), make_sphere(0.5, 0.2)}));
  double volume = 0;
  for (const double v : domain.volume) volume += v;
  std::vector<double> values;
  const HandleBasis basis = skinning_eigenmodes(domain, 6, &values);
  for (const double power : {0.0, 1.0, 2.0}) {
    ClusterPointsOptions options;
    options.points = 50;
    options.power = power;
    const Cubature cubature = cluster_points(domain, basis, values, options);
    EXPECT_EQ(cubature.point_count(), 50);
    EXPECT_NEAR(cluster_volume(domain, cubature), volume, 1e-12 * volume);
    for (const double weight : cubature.weights) EXPECT_GT(weight, 0);
    const ThreadLimit limit(1);
    const Cubature again = cluster_points(domain, basis, values, options);
    EXPECT_EQ(again.tets, cubature.tets);
    EXPECT_EQ(again.weights, cubature.weights);
  }
}

// A body with one handle has nothing that tells its tets apart but their places.
TEST(ClusterPoints, BodiesOfOneHandleAreDividedByPlace) {
  const Domain domain = test::domain_of(make_box({3, 1, 1}, {12, 4, 4}));
  std::vector<double> values;
  const HandleBasis basis = skinning_eigenmodes(domain, 1, &values);
  ClusterPointsOptions options;
  options.points = 3;
  const Cubature cubature = cluster_points(domain, basis, values, options);
  std::vector<double> places;
  for (const Index t : cubature.tets) places.push_back(test::barycentre(domain, t)[0]);
  std::sort(places.begin(), places.end());
  EXPECT_LT(places[0], -0.5);
  EXPECT_GT(places[2], 0.5);
}

TEST(ClusterPoints, AsManyAsThereAreTetsAndNoMore) {
  const Domain domain = test::domain_of(make_box({1, 1, 1}, {2, 2, 2}));
  std::vector<double> values;
  const HandleBasis basis = skinning_eigenmodes(domain, 2, &values);
  ClusterPointsOptions options;
  options.points = domain.tet_count();
  const Cubature all = cluster_points(domain, basis, values, options);
  EXPECT_EQ(all.point_count(), domain.tet_count());
  for (const double weight : all.weights) EXPECT_NEAR(weight, 1, 1e-12);
  options.points = domain.tet_count() + 1;
  EXPECT_THROW(cluster_points(domain, basis, values, options), InputError);
  options.points = 1;
  EXPECT_THROW(cluster_points(domain, basis, values, options), InputError);
}

}  // namespace
}  // namespace sinew
