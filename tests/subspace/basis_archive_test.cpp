#include "sinew/subspace/basis_archive.h"

#include <functional>
#include <limits>
#include <utility>

#include "bases.h"
#include "support/domains.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/primitives.h"
#include "sinew/subspace/sms.h"

namespace sinew {
namespace {

using test::domain_of;
using test::grown_partition;

struct Sample {
  Domain domain = domain_of(make_box({2, 1, 1}, {4, 2, 2}));
  Partition partition = grown_partition(domain, 5);
  HandleBasis basis = sms_basis(domain, partition);
};

ArchiveReader stored(const HandleBasis& basis, const Partition& partition) {
  ArchiveWriter writer("unused", "cache");
  write_basis(writer, "sms", basis);
  write_partition(writer, "partition", partition);
  return ArchiveReader::from_bytes(writer.bytes(), "cache", "memory");
}

TEST(BasisArchive, RoundTrip) {
  const Sample s;
  const ArchiveReader archive = stored(s.basis, s.partition);
  const HandleBasis basis = read_basis(archive, "sms", s.domain.vertex_count());
  EXPECT_EQ(basis.center, s.basis.center);
  EXPECT_EQ(basis.radius, s.basis.radius);
  EXPECT_EQ(basis.begin, s.basis.begin);
  EXPECT_EQ(basis.handle, s.basis.handle);
  EXPECT_EQ(basis.weight, s.basis.weight);
  const Partition partition = read_partition(archive, "partition", s.domain.tet_count(), s.domain.vertex_count());
  EXPECT_EQ(partition.tet_cluster, s.partition.tet_cluster);
  EXPECT_EQ(partition.center, s.partition.center);
}

TEST(BasisArchive, NoHandles) {
  HandleBasis basis;
  basis.begin.assign(4, 0);
  EXPECT_EQ(read_basis(stored(basis, {}), "sms", 3).handle_count(), 0);
}

TEST(BasisArchive, RefusesDamage) {
  const Sample s;
  const Index n = s.domain.vertex_count();
  auto expect_refused = [&](const char* part, const std::function<void(HandleBasis&)>& damage) {
    HandleBasis basis = s.basis;
    damage(basis);
    const ArchiveReader archive = stored(basis, s.partition);
    try {
      read_basis(archive, "sms", n);
      ADD_FAILURE() << part;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(part));
    }
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused("sms/radius", [](HandleBasis& b) { b.radius.pop_back(); });
  expect_refused("sms/radius", [](HandleBasis& b) { b.radius[1] = 0; });
  expect_refused("sms/begin", [](HandleBasis& b) { b.begin.pop_back(); });
  expect_refused("sms/begin", [](HandleBasis& b) { b.begin.back() += 1; });
  expect_refused("sms/begin", [](HandleBasis& b) { b.begin[3] = 1 << 20; });
  expect_refused("sms/begin", [](HandleBasis& b) { b.begin[0] = -1; });
  expect_refused("sms/handle", [](HandleBasis& b) { b.handle[2] = -1; });
  expect_refused("sms/handle", [](HandleBasis& b) { b.handle[2] = b.handle_count(); });
  expect_refused("sms/handle", [](HandleBasis& b) {
    std::size_t v = 0;
    while (b.begin[v + 1] - b.begin[v] < 2) ++v;
    std::swap(b.handle[b.begin[v]], b.handle[b.begin[v] + 1]);
  });
  expect_refused("sms/weight", [](HandleBasis& b) { b.weight.pop_back(); });
  expect_refused("sms/weight", [&](HandleBasis& b) { b.weight[0] = nan; });
  expect_refused("sms/center", [&](HandleBasis& b) { b.center[0][1] = nan; });
  EXPECT_THROW(read_basis(stored(s.basis, s.partition), "sms", n + 1), InputError);
  EXPECT_THROW(read_basis(stored(s.basis, s.partition), "other", n), InputError);

  const Index m = s.domain.tet_count();
  auto partition_of = [&](const std::function<void(Partition&)>& damage) {
    Partition partition = s.partition;
    damage(partition);
    return read_partition(stored(s.basis, partition), "partition", m, n);
  };
  EXPECT_THROW(partition_of([](Partition& p) { p.tet_cluster.pop_back(); }), InputError);
  EXPECT_THROW(partition_of([](Partition& p) { p.tet_cluster[0] = p.cluster_count(); }), InputError);
  EXPECT_THROW(partition_of([](Partition& p) { p.tet_cluster[0] = -1; }), InputError);
  EXPECT_THROW(partition_of([&](Partition& p) { p.center[0] = n; }), InputError);
  EXPECT_THROW(partition_of([](Partition& p) { p.center.push_back(0); }), InputError);
}

}  // namespace
}  // namespace sinew
