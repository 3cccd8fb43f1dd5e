#include "sinew/cubature/cubature_archive.h"

#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

Cubature round_trip(const Cubature& cubature, Index tet_count) {
  ArchiveWriter writer("unused", "cache");
  write_cubature(writer, "cubature", cubature);
  return read_cubature(ArchiveReader::from_bytes(writer.bytes(), "cache", "memory"), "cubature", tet_count);
}

TEST(CubatureArchive, KeepsEveryBit) {
  const Cubature rule{{0, 3, 9}, {0.1, 1e-300, 1e300}};
  const Cubature read = round_trip(rule, 10);
  EXPECT_EQ(read.tets, rule.tets);
  EXPECT_EQ(read.weights, rule.weights);
  EXPECT_EQ(round_trip({}, 0).point_count(), 0);
}

TEST(CubatureArchive, RefusesWhatIsNoRule) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const Cubature& wrong : {Cubature{{0, 3}, {1, 1, 1}}, Cubature{{0, 10}, {1, 1}}, Cubature{{-1, 3}, {1, 1}},
                                Cubature{{3, 3}, {1, 1}}, Cubature{{3, 2}, {1, 1}}, Cubature{{0, 3}, {1, -1}},
                                Cubature{{0, 3}, {1, nan}}, Cubature{{0, 3}, {infinity, 1}}}) {
    EXPECT_THROW(round_trip(wrong, 10), InputError);
  }
  EXPECT_NO_THROW(round_trip({{0, 3}, {1, 0}}, 10));  // fits leave weights of 0
}

}  // namespace
}  // namespace sinew
