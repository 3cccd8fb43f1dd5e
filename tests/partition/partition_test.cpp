// Properties that every method's partition has, on easy and on hostile domains.
#include "sinew/partition/partition.h"

#include <set>

#include "support/domains.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

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

}  // namespace
}  // namespace sinew
