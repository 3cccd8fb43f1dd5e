// Properties that every method's partition has, on easy and on hostile domains.
#include "sinew/partition/partition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "support/domains.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/partition/natural_shares.h"

namespace sinew {
namespace {

using test::domain_of;

// Every tet in one cluster, clusters connected and numbered without gaps, centres in their clusters and different.
void expect_valid(const Domain& domain, const Partition& partition) {
  ASSERT_EQ(partition.tet_cluster.size(), static_cast<std::size_t>(domain.tet_count()));
  const Index count = partition.cluster_count();
  for (const Index c : partition.tet_cluster) ASSERT_TRUE(c >= 0 && c < count);
  std::vector<std::vector<Index>> tets(count);
  for (Index t = 0; t < domain.tet_count(); ++t) tets[partition.tet_cluster[t]].push_back(t);
  for (Index c = 0; c < count; ++c) {
    ASSERT_FALSE(tets[c].empty());
    Tets cluster(4, static_cast<Index>(tets[c].size()));
    bool has_center = false, has_free = false;
    for (std::size_t k = 0; k < tets[c].size(); ++k) {
      cluster.col(static_cast<Index>(k)) = domain.tets.col(tets[c][k]);
      for (const Index v : domain.tets.col(tets[c][k])) {
        has_center = has_center || v == partition.center[c];
        has_free = has_free || !domain.fixed[v];
      }
    }
    Index parts = 0;
    face_components(cluster, parts);
    EXPECT_EQ(parts, 1) << "cluster " << c;
    EXPECT_TRUE(has_center) << "cluster " << c;
    EXPECT_EQ(domain.fixed[partition.center[c]] == 0, has_free) << "cluster " << c;
  }
  EXPECT_EQ(std::set<Index>(partition.center.begin(), partition.center.end()).size(), partition.center.size());
}

// By edges, so that strands get as many handles as their length asks for, down to clusters of few vertices.
TEST(NaturalShares, CountEdgesNotVertices) {
  const auto clusters = [](const TetMesh& mesh, double fixed_below = -1e9) {
    Domain domain = domain_of(mesh);
    for (Index v = 0; v < domain.vertex_count(); ++v) domain.fixed[v] = domain.vertices(0, v) < fixed_below;
    const std::vector<ComponentShare> shares = component_shares(domain, PartitionOptions());
    EXPECT_EQ(shares.size(), 1u);
    return shares[0].clusters;
  };
  constexpr int length = 10 * natural_spacing;
  for (const int width : {3, 4}) {
    EXPECT_EQ(clusters(make_box(Vec3(length, width, width), {length, width, width})), 11);
    // Nothing is picked among the vertices that are held.
    EXPECT_EQ(clusters(make_box(Vec3(length, width, width), {length, width, width}), 0), 6);
  }
  // Four vertices across: clusters of 48 would be too small to pay.
  EXPECT_EQ(clusters(make_box(Vec3(length, 1, 1), {length, 1, 1})), 4 * (length + 1) / least_cluster);
  const Index plate = clusters(make_box(Vec3(60, 60, 1), {60, 60, 1}));
  EXPECT_GE(plate, 16);  // the sides are 5 spacings; diagonals of cells are shorter ways
  EXPECT_LE(plate, 60);
  const Index solid = clusters(make_box(Vec3(36, 36, 36), {36, 36, 36}));
  EXPECT_GE(solid, 27);
  EXPECT_LE(solid, 108);
  EXPECT_EQ(clusters(make_box(Vec3(3, 2, 2), {3, 2, 2})), 1);
}

class PartitionMethods : public testing::TestWithParam<std::string> {
 protected:
  Partition divide(const Domain& domain, Index handles) const {
    PartitionOptions options;
    options.method = GetParam();
    options.handles = handles;
    return make_partition(domain, options);
  }
};

INSTANTIATE_TEST_SUITE_P(All, PartitionMethods, testing::ValuesIn(partition_methods()),
                         [](const auto& info) { return info.param; });

TEST_P(PartitionMethods, GiveConnectedBalancedClusters) {
  const Domain domain = domain_of(make_sphere(0.5, 0.06));
  const Partition partition = divide(domain, 30);
  expect_valid(domain, partition);
  EXPECT_EQ(partition.cluster_count(), 30);
  std::vector<double> volume(30, 0.0);
  for (Index t = 0; t < domain.tet_count(); ++t) volume[partition.tet_cluster[t]] += domain.volume[t];
  std::sort(volume.begin(), volume.end());
  EXPECT_LT(volume[29], 3 * volume[15]);
  EXPECT_GT(volume[0], volume[15] / 3);
}

// ------------------------------------------------------------------------------------------------ awareness

// Share of the volume of clusters' smaller materials.
double mixed_volume(const Domain& domain, const Partition& partition) {
  std::vector<std::array<double, 2>> volume(partition.cluster_count(), {0, 0});
  double mixed = 0, total = 0;
  for (Index t = 0; t < domain.tet_count(); ++t)
    volume[partition.tet_cluster[t]][domain.material[t] == 0 ? 0 : 1] += domain.volume[t];
  for (const auto& [a, b] : volume) {
    mixed += std::min(a, b);
    total += a + b;
  }
  return mixed / total;
}

// An 'H' whose bar and inner halves of the posts are stiff.
Domain letter_h() {
  const TetMesh box = make_box(Vec3(1, 1, 0.2), {30, 30, 6});
  return domain_of(test::cut(box, [](const Vec3& x) { return std::abs(x.x()) < 0.3 && std::abs(x.y()) > 0.1; }));
}

TEST(Partition, StiffRegionsHaveLargeClusters) {
  Domain domain = letter_h();
  test::set_material(domain, 1, 1e7, [](const Vec3& x) { return std::abs(x.y()) < 0.25; });
  PartitionOptions options;
  options.handles = 30;
  const Partition partition = make_partition(domain, options);
  expect_valid(domain, partition);
  EXPECT_EQ(partition.cluster_count(), 30);
  double stiff_volume = 0, soft_volume = 0;
  std::set<Index> stiff, soft;
  for (Index t = 0; t < domain.tet_count(); ++t) {
    const double y = std::abs(test::barycentre(domain, t).y());
    if (y < 0.15) stiff.insert(partition.tet_cluster[t]), stiff_volume += domain.volume[t];
    if (y > 0.35) soft.insert(partition.tet_cluster[t]), soft_volume += domain.volume[t];
  }
  EXPECT_GT(stiff_volume / static_cast<double>(stiff.size()), 3 * soft_volume / static_cast<double>(soft.size()));
}

TEST(Partition, JumpPenaltyKeepsClustersWithinTheirMaterial) {
  Domain domain = domain_of(make_box(Vec3(1, 0.6, 1), {24, 15, 24}));
  test::set_material(domain, 1, 1e8, [](const Vec3& x) { return std::abs(x.y()) > 0.1; });
  PartitionOptions options;
  options.handles = 60;
  const double penalised = mixed_volume(domain, make_partition(domain, options));
  options.interface_stiffness = 1e3;  // as soft as the stiff layers: none
  const double without = mixed_volume(domain, make_partition(domain, options));
  options.method = "metis";
  const double unaware = mixed_volume(domain, make_partition(domain, options));
  EXPECT_LT(penalised, 0.1);
  EXPECT_LT(penalised, 0.5 * without);
  EXPECT_LT(penalised, 0.5 * unaware);
}

TEST_P(PartitionMethods, DoNotJoinWhatACutSeparates) {
  const TetMesh whole = make_box(Vec3(1, 1, 0.1), {20, 20, 2});
  const Domain domain =
      domain_of(test::cut(whole, [](const Vec3& x) { return std::abs(x.x()) < 0.05 && x.y() > -0.4; }));
  const Partition partition = divide(domain, 25);
  expect_valid(domain, partition);
  std::set<Index> left, right;
  for (Index t = 0; t < domain.tet_count(); ++t) {
    if (domain.vertices(1, domain.tets(0, t)) < 0) continue;
    (domain.vertices(0, domain.tets(0, t)) < 0 ? left : right).insert(partition.tet_cluster[t]);
  }
  for (const Index c : left) EXPECT_EQ(right.count(c), 0U);
}

// ------------------------------------------------------------------------------------------------ hostile domains

TEST_P(PartitionMethods, TakeBodiesOfFewTets) {
  TetMesh tet;
  tet.vertices.resize(3, 4);
  tet.vertices << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
  tet.tets.resize(4, 1);
  tet.tets << 0, 1, 2, 3;
  for (const Index handles : {0, 1, 2, 100}) {
    const Domain one = domain_of(tet);
    expect_valid(one, divide(one, handles));
    const Domain few = domain_of(make_box(Vec3(1, 1, 1), {1, 1, 2}));
    expect_valid(few, divide(few, handles));
    const Domain more = domain_of(make_box(Vec3(1, 1, 1), {3, 3, 3}));
    expect_valid(more, divide(more, handles));
  }
}

TEST_P(PartitionMethods, TakeFixedVertices) {
  Domain domain = domain_of(make_box(Vec3(1, 1, 1), {6, 6, 6}));
  for (Index v = 0; v < domain.vertex_count(); ++v) domain.fixed[v] = domain.vertices(0, v) < 0.2 ? 1 : 0;
  expect_valid(domain, divide(domain, 20));
  std::fill(domain.fixed.begin(), domain.fixed.end(), 1);
  const Partition partition = divide(domain, 20);
  expect_valid(domain, partition);
  EXPECT_EQ(partition.cluster_count(), 1);
}

TEST_P(PartitionMethods, TakeStiffnessOverSixOrdersAndManyMaterials) {
  Domain domain = domain_of(make_sphere(1, 0.15));
  for (Index t = 0; t < domain.tet_count(); ++t) domain.young[t] = 1e3 * std::pow(10.0, (t * 7919 % 1000) / 1000.0 * 6);
  expect_valid(domain, divide(domain, 40));
  for (Index t = 0; t < domain.tet_count(); ++t) domain.material[t] = t % 20;
  expect_valid(domain, divide(domain, 40));
}

TEST_P(PartitionMethods, TakeThinTendrils) {
  const Domain domain = domain_of(make_box(Vec3(10, 0.1, 0.1), {300, 1, 1}));
  const Partition partition = divide(domain, 20);
  expect_valid(domain, partition);
  EXPECT_GE(partition.cluster_count(), 15);
}

TEST(Partition, ThousandsOfBodiesHaveAClusterEach) {
  constexpr Index count = 5000;
  std::vector<TetMesh> boxes(count, make_box(Vec3::Constant(0.01), {1, 1, 1}));
  for (Index i = 0; i < count; ++i) boxes[i].vertices.colwise() += Vec3(i, 0, 0);
  const Domain domain = domain_of(test::joined(boxes));
  EXPECT_EQ(domain.component_count, count);
  const Partition partition = make_partition(domain, {});
  EXPECT_EQ(partition.cluster_count(), count);
  EXPECT_EQ(partition.tet_cluster, domain.component);
}

TEST_P(PartitionMethods, GiveTheSameForAnyNumberOfThreads) {
  Domain domain = domain_of(make_sphere(1, 0.12));
  test::set_material(domain, 1, 1e7, [](const Vec3& x) { return x.x() > 0.2; });
  Partition results[2];
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    results[threads - 1] = divide(domain, 25);
  }
  EXPECT_EQ(results[0].tet_cluster, results[1].tet_cluster);
  EXPECT_EQ(results[0].center, results[1].center);
}

// A plate with many thin prongs: plain k-means leaves much smaller clusters, in a ball of prongs as SMS (section 3.6)
// says. With and without pruning there are as many clusters as asked for.
TEST(Partition, PruningBalancesClusters) {
  const TetMesh whole = make_box(Vec3(3, 1, 0.2), {60, 20, 4});
  const Domain domain = domain_of(
      test::cut(whole, [](const Vec3& x) { return x.y() > -0.2 && std::fmod(x.x() + 10 + 0.01, 0.2) < 0.12; }));
  double worst[2] = {1, 1};
  for (const bool prune : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Partition partition =
          make_partition(domain, {.handles = 60, .prune_ratio = prune ? 1.75 : 0, .seed = seed});
      expect_valid(domain, partition);
      std::vector<double> volume(partition.center.size(), 0.0);
      for (Index t = 0; t < domain.tet_count(); ++t) volume[partition.tet_cluster[t]] += domain.volume[t];
      std::ranges::sort(volume);
      worst[prune] = std::min(worst[prune], volume.front() / volume[volume.size() / 2]);
      if (!prune) {
        EXPECT_EQ(partition.cluster_count(), 60);
      }
    }
  }
  EXPECT_GT(worst[1], 1.5 * worst[0]);
}

TEST(Partition, RefusesUnknownMethodsAndNumbersOutOfRange) {
  const Domain domain = domain_of(make_box(Vec3::Ones(), {1, 1, 1}));
  EXPECT_THROW(make_partition(domain, {.method = "voronoi"}), InputError);
  EXPECT_THROW(make_partition(domain, {.interface_stiffness = 0}), InputError);
  EXPECT_THROW(make_partition(domain, {.prune_ratio = 0.5}), InputError);
  EXPECT_THROW(make_partition(domain, {.oversampling = 0}), InputError);
  EXPECT_THROW(make_partition(domain, {.max_iterations = 0}), InputError);
}

// ------------------------------------------------------------------------------------------------ shares

TEST(Partition, HandlesAreSharedBySizeWithinCapacity) {
  EXPECT_EQ(share_handles({1, 1}, {100, 100}, 10), (std::vector<Index>{5, 5}));
  EXPECT_EQ(share_handles({9, 1}, {100, 100}, 10), (std::vector<Index>{9, 1}));
  EXPECT_EQ(share_handles({9, 1}, {4, 100}, 10), (std::vector<Index>{4, 6}));
  EXPECT_EQ(share_handles({9, 1}, {4, 3}, 10), (std::vector<Index>{4, 3}));
  EXPECT_EQ(share_handles({5, 1e-9, 1e-9}, {100, 100, 100}, 1), (std::vector<Index>{1, 1, 1}));
  EXPECT_EQ(share_handles({5, 1e-9, 1e-9}, {100, 100, 100}, 7), (std::vector<Index>{5, 1, 1}));
}

}  // namespace
}  // namespace sinew
