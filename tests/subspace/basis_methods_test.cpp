#include "sinew/subspace/basis_methods.h"

#include <cmath>

#include "bases.h"
#include "support/domains.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/primitives.h"
#include "sinew/subspace/biharmonic_coordinates.h"
#include "sinew/subspace/rbf.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

using test::dense_weights;
using test::domain_of;
using test::grown_partition;
using test::joined;

double soft(const Vec3&) {
  return 1e6;
}

TEST(BasisMethods, EachFitsItsDomain) {
  TetMesh apart = make_sphere(0.5, 0.25);
  apart.vertices.row(0).array() += 3;
  const Domain domain =
      domain_of(joined({make_box({2, 1, 1}, {8, 4, 4}), apart}), soft, [](const Vec3& x) { return x[0] < -0.99; });
  const Partition partition = grown_partition(domain, 6);
  for (const std::string& name : basis_methods()) {
    SCOPED_TRACE(name);
    const HandleBasis basis = make_basis(domain, partition, name);
    EXPECT_EQ(basis.handle_count(), 12);
    ASSERT_EQ(basis.vertex_count(), domain.vertex_count());
    const MatX phi = dense_weights(basis);
    EXPECT_TRUE(phi.allFinite());
    for (Index v = 0; v < domain.vertex_count(); ++v) {
      EXPECT_EQ(phi.row(v).isZero(0), domain.fixed[v] != 0) << v;
    }
    // Components do not mix.
    for (Index i = 0; i < basis.handle_count(); ++i) {
      double left = 0, right = 0;
      for (Index v = 0; v < domain.vertex_count(); ++v)
        (domain.vertices(0, v) < 2 ? left : right) += std::abs(phi(v, i));
      EXPECT_EQ(std::min(left, right), 0) << i;
    }
  }
}

TEST(BasisMethods, HostileDomains) {
  TetMesh single = make_box({1, 1, 1}, {1, 1, 1});
  single.tets = Tets(single.tets.col(0));
  single = test::cut(single, [](const Vec3&) { return false; });
  const auto random = [](const Vec3& x) { return std::pow(10.0, 3 + 3 * std::sin(1e3 * x[0] + 2e3 * x[1])); };
  for (const Domain& domain :
       {domain_of(single), domain_of(make_box({2, 1, 1}, {4, 2, 2}), soft, [](const Vec3&) { return true; }),
        domain_of(make_box({2, 1, 1}, {4, 2, 2}), random),
        domain_of(make_box({9, 0.1, 0.1}, {90, 1, 1}), soft, [](const Vec3& x) { return x[0] < -4.4; })}) {
    for (Index handles : {1, 3, 40}) {
      const Partition partition = grown_partition(domain, handles);
      for (const std::string& name : basis_methods()) {
        const HandleBasis basis = make_basis(domain, partition, name);
        EXPECT_TRUE(dense_weights(basis).allFinite()) << name;
        for (double radius : basis.radius) EXPECT_GT(radius, 0) << name;
      }
    }
  }
}

TEST(BasisMethods, RefusesUnknownNames) {
  const Domain domain = domain_of(make_box({1, 1, 1}, {1, 1, 1}));
  try {
    make_basis(domain, grown_partition(domain, 1), "smss");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "basis \"smss\" is unknown; did you mean \"sms\"? use one of \"sms\", \"rbf\", \"biharmonic\", "
                 "\"eigenmodes\"");
  }
}

TEST(Rbf, PartitionOfUnityWithCompactSupport) {
  const Domain domain = domain_of(make_box({4, 1, 1}, {32, 8, 8}));
  const HandleBasis basis = rbf_basis(domain, grown_partition(domain, 16));
  const MatX phi = dense_weights(basis);
  EXPECT_LT((phi.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-14);
  EXPECT_GE(phi.minCoeff(), 0);
  EXPECT_LT(static_cast<double>(basis.weight.size()), 0.7 * static_cast<double>(phi.size()));
}

// Linear functions are the weighted sums of their values at the centres.
TEST(BiharmonicCoordinates, LinearPrecisionAndInterpolation) {
  const Domain domain = domain_of(make_sphere(1, 0.25), [](const Vec3& x) { return x[0] < 0 ? 1e9 : 1e5; });
  const Partition partition = grown_partition(domain, 12);
  const MatX phi = dense_weights(biharmonic_coordinates(domain, partition));
  EXPECT_LT((phi.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-7);
  const MatX at_centers = domain.vertices(Eigen::all, partition.center);
  EXPECT_LT((phi * at_centers.transpose() - domain.vertices.transpose()).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((phi(partition.center, Eigen::all) - MatX::Identity(phi.cols(), phi.cols())).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(BiharmonicCoordinates, FewCentresReproduceConstants) {
  const Domain domain = domain_of(make_sphere(1, 0.25));
  for (Index handles : {1, 2, 3}) {
    const MatX phi = dense_weights(biharmonic_coordinates(domain, grown_partition(domain, handles)));
    EXPECT_LT((phi.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-8);
  }
}

// The second mode of a bar bends its weights once, and all of that in its soft half.
TEST(SkinningEigenmodes, KnowTheMaterial) {
  const auto half = [](const Vec3& x) { return x[0] < 0 ? 1e10 : 1e6; };
  const Domain domain = domain_of(make_box({4, 1, 1}, {16, 4, 4}), half);
  const MatX phi = dense_weights(skinning_eigenmodes(domain, 3));
  EXPECT_LT((phi.col(0).array() - 1).abs().maxCoeff(), 1e-6);
  double stiff_lowest = 1e300, stiff_highest = -1e300;
  for (Index v = 0; v < domain.vertex_count(); ++v) {
    if (domain.vertices(0, v) > 0) continue;
    stiff_lowest = std::min(stiff_lowest, phi(v, 1));
    stiff_highest = std::max(stiff_highest, phi(v, 1));
  }
  EXPECT_LT(stiff_highest - stiff_lowest, 1e-3);
  EXPECT_GT(phi.col(1).maxCoeff() - phi.col(1).minCoeff(), 1);
}

}  // namespace
}  // namespace sinew
