#include "sinew/cubature/moment_fitting.h"

#include <algorithm>

#include "cubature/fixtures.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

using namespace test;

void expect_valid(const Blocks& all, const Cubature& rule) {
  ASSERT_EQ(rule.tets.size(), rule.weights.size());
  EXPECT_TRUE(std::is_sorted(rule.tets.begin(), rule.tets.end()));
  EXPECT_TRUE(std::adjacent_find(rule.tets.begin(), rule.tets.end()) == rule.tets.end());
  for (const double w : rule.weights) EXPECT_GT(w, 0.0);
  const auto [by_rule, exact] = integrals(all, rule, [](Index) { return 1.0; });
  for (Index c = 0; c < exact.size(); ++c) EXPECT_NEAR(by_rule[c], exact[c], 1e-14 * exact[c]) << "cluster " << c;
}

// Functions of size up to 1 in each cluster.
template <class F>
void expect_integrates(const Blocks& all, const Cubature& rule, double tolerance, F&& f) {
  const auto [by_rule, exact] = integrals(all, rule, f);
  const auto [unused, volume] = integrals(all, rule, [](Index) { return 1.0; });
  for (Index c = 0; c < exact.size(); ++c) EXPECT_NEAR(by_rule[c], exact[c], tolerance * volume[c]) << "cluster " << c;
}

TEST(MomentFitting, PolynomialsUpToTheDegreeAreExact) {
  const Blocks all = make_blocks(12, 2);  // 1080 tets a cluster
  for (int degree = 0; degree <= 4; ++degree) {
    CubatureReport report;
    const Cubature rule = rule_of(all, options_of("polynomial", degree), &report);
    expect_valid(all, rule);
    const Index functions = (degree + 1) * (degree + 2) * (degree + 3) / 6;
    EXPECT_THAT(report.fitting.functions, testing::Each(functions));
    EXPECT_THAT(report.fitting.points, testing::Each(testing::Le(functions)));
    EXPECT_LE(report.fitting.residual, 1e-9);
    EXPECT_EQ(report.fitting.full_clusters, 0);
    EXPECT_EQ(report.points, rule.point_count());
    for (int i = 0; i <= degree; ++i) {
      for (int j = 0; i + j <= degree; ++j) {
        const int k = degree - i - j;
        expect_integrates(all, rule, 1e-8, [&](Index e) {
          const Vec3 x = barycentre(all.domain, e);
          return std::pow(x[0], i) * std::pow(x[1], j) * std::pow(x[2], k);
        });
      }
    }
  }
}

TEST(MomentFitting, ProductsOfHandleFunctionsAreExact) {
  const Blocks all = make_blocks(12, 2);
  for (int degree = 1; degree <= 2; ++degree) {
    CubatureReport report;
    const Cubature rule = rule_of(all, options_of("modal", degree), &report);
    expect_valid(all, rule);
    EXPECT_LT(rule.point_count(), all.domain.tet_count());
    const auto value = [&](Index e, Index handle, int axis) {
      return corner_mean(all.domain, e, [&](Index v) {
        return weight_at(all.basis, v, handle) * (axis < 0 ? 1.0 : all.domain.vertices(axis, v));
      });
    };
    for (Index i = 0; i < 8; ++i) {
      for (int axis = -1; axis < 3; ++axis) {
        expect_integrates(all, rule, 1e-8, [&](Index e) { return value(e, i, axis); });
        for (Index j = 0; j < 8 && degree == 2; ++j) {
          expect_integrates(all, rule, 1e-8,
                            [&](Index e) { return value(e, i, axis) * value(e, j, (axis + i + j) % 3); });
        }
      }
    }
  }
}

TEST(MomentFitting, ClustersOfConstantWeightsNeedFewPoints) {
  // As of stiff inclusions: weights that change at the middle between the clusters' centres only.
  const Blocks soft = make_blocks(12, 2);
  const Blocks stiff = make_blocks(12, 2, [](double t) { return std::clamp(6 * (t - 0.5) + 0.5, 0.0, 1.0); });
  const Blocks rigid = make_blocks(12, 2, [](double t) { return std::round(t + 1e-9); });
  for (int degree = 1; degree <= 2; ++degree) {
    const Index most = rule_of(soft, options_of("modal", degree)).point_count();
    const Index some = rule_of(stiff, options_of("modal", degree)).point_count();
    const Index few = rule_of(rigid, options_of("modal", degree)).point_count();
    EXPECT_LE(few, some);
    EXPECT_LT(few, most / 2) << "degree " << degree;
  }
}

TEST(MomentFitting, MoreToleranceFewerPoints) {
  const Blocks all = make_blocks(12, 2);
  CubatureOptions options = options_of("modal", 2);
  Index last = all.domain.tet_count() + 1;
  for (const double tolerance : {1e-6, 1e-3, 1e-2, 1e-1}) {
    options.fitting.rank_tolerance = tolerance;
    const Cubature rule = rule_of(all, options);
    expect_valid(all, rule);
    EXPECT_LE(rule.point_count(), last);
    last = rule.point_count();
  }
}

TEST(MomentFitting, SameBitsForAnyNumberOfThreadsAndOthersForOtherSeeds) {
  const Blocks all = make_blocks(10, 2);
  CubatureOptions options = options_of("modal", 2);
  options.fitting.rank_tolerance = 1e-3;
  const Cubature first = rule_of(all, options), second = rule_of(all, options);
  EXPECT_EQ(first.tets, second.tets);
  EXPECT_EQ(first.weights, second.weights);
  {
    const ThreadLimit one(1);
    const Cubature alone = rule_of(all, options);
    EXPECT_EQ(first.tets, alone.tets);
    EXPECT_EQ(first.weights, alone.weights);
  }
  options.fitting.seed = 2;
  EXPECT_NE(first.tets, rule_of(all, options).tets);
}

TEST(MomentFitting, ClustersOfFewTetsKeepThemAll) {
  Blocks all = make_blocks(2, 1);
  all.partition.tet_cluster.clear();
  for (Index e = 0; e < all.domain.tet_count(); ++e) all.partition.tet_cluster.push_back(e < 30 ? 0 : e - 29);
  all.partition.center.assign(all.domain.tet_count() - 29, 0);
  for (const char* method : {"modal", "polynomial"}) {
    CubatureReport report;
    const Cubature rule = rule_of(all, options_of(method, 2), &report);
    expect_valid(all, rule);
    EXPECT_EQ(report.fitting.failed_clusters, 0);
    for (std::size_t c = 1; c < report.fitting.points.size(); ++c) EXPECT_EQ(report.fitting.points[c], 1);
  }
}

TEST(MomentFitting, ClustersWithoutHandlesAndWithoutTets) {
  Blocks all = make_blocks(6, 2);
  all.basis.begin.assign(all.domain.vertex_count() + 1, 0);
  all.basis.handle.clear();
  all.basis.weight.clear();
  all.partition.center.push_back(0);  // a cluster that no tet belongs to
  CubatureReport report;
  const Cubature rule = rule_of(all, options_of("modal", 2), &report);
  EXPECT_EQ(rule.point_count(), 8);  // the volume alone
  EXPECT_EQ(report.fitting.points.back(), 0);
  expect_valid(all, rule);
}

TEST(MomentFitting, ThinTetsAndWildVolumes) {
  Blocks all = make_blocks(10, 2);
  for (Index v = 0; v < all.domain.vertex_count(); ++v) all.domain.vertices(2, v) *= 1e-6;
  for (Index e = 0; e < all.domain.tet_count(); ++e) all.domain.volume[e] *= std::pow(10.0, -6 - e % 7);
  for (const char* method : {"modal", "polynomial"}) {
    CubatureReport report;
    const Cubature rule = rule_of(all, options_of(method, 2), &report);
    expect_valid(all, rule);
    EXPECT_LE(report.fitting.residual, 1e-9);
    EXPECT_EQ(report.fitting.failed_clusters, 0);
  }
}

TEST(MomentFitting, AnyUnitAndPlace) {
  const Blocks all = make_blocks(10, 2);
  CubatureOptions options = options_of("modal", 2);
  options.fitting.rank_tolerance = 1e-4;
  const Cubature rule = rule_of(all, options);
  Blocks moved = all;
  moved.domain.vertices *= 0x1p-20;
  for (double& v : moved.domain.volume) v *= 0x1p-60;
  EXPECT_EQ(rule_of(moved, options).tets, rule.tets);
  moved = all;
  moved.domain.vertices.colwise() += Vec3(1000, -2000, 500);
  const Cubature far = rule_of(moved, options);
  expect_valid(moved, far);
  EXPECT_NEAR(far.point_count(), rule.point_count(), 0.1 * rule.point_count());
}

TEST(MakeCubature, AllTetsAndMistakes) {
  const Blocks all = make_blocks(4, 2);
  CubatureReport report;
  const Cubature rule = rule_of(all, options_of("all", 2), &report);
  EXPECT_EQ(rule.point_count(), all.domain.tet_count());
  EXPECT_EQ(report.points, report.tets);
  EXPECT_THAT(rule.weights, testing::Each(1.0));
  const auto mistake = [&](const CubatureOptions& options) {
    try {
      rule_of(all, options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(mistake(options_of("model", 2)), testing::HasSubstr("did you mean \"modal\"?"));
  EXPECT_THAT(mistake(options_of("modal", 3)), testing::HasSubstr("use 1 to 2"));
  EXPECT_THAT(mistake(options_of("polynomial", -1)), testing::HasSubstr("degree -1"));
  CubatureOptions options = options_of("modal", 2);
  options.fitting.tolerance = 0;
  EXPECT_THAT(mistake(options), testing::HasSubstr("tolerance 0"));
  options = options_of("modal", 2);
  options.fitting.rank_tolerance = std::nan("");
  EXPECT_THAT(mistake(options), testing::HasSubstr("rank_tolerance"));
}

}  // namespace
}  // namespace sinew
