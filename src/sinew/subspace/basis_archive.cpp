#include "sinew/subspace/basis_archive.h"

#include <cmath>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr const char* remedy = "the file is damaged or belongs to another mesh; delete it, and it is made again";

void expect_size(const std::string& entry, std::size_t found, std::size_t expected) {
  if (found != expected)
    fail_input(code::file_damaged, "entry '{}' holds {} values, expected {}: {}", entry, found, expected, remedy);
}

template <class Value>
void expect_in_range(const std::string& entry, const std::vector<Value>& values, std::int64_t end) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0 || values[i] >= end) {
      fail_input(code::file_damaged, "entry '{}' holds {} at place {}, expected 0 to {}: {}", entry, values[i], i,
                 end - 1, remedy);
    }
  }
}

void expect_offsets(const std::string& entry, const std::vector<std::int64_t>& begin, std::size_t end) {
  if (begin.front() != 0 || begin.back() != static_cast<std::int64_t>(end)) {
    fail_input(code::file_damaged, "entry '{}' runs from {} to {}, expected 0 to {}: {}", entry, begin.front(),
               begin.back(), end, remedy);
  }
  for (std::size_t i = 1; i < begin.size(); ++i) {
    if (begin[i] < begin[i - 1])
      fail_input(code::file_damaged, "entry '{}' decreases at place {}: {}", entry, i, remedy);
  }
}

}  // namespace

void write_basis(ArchiveWriter& archive, const std::string& name, const HandleBasis& basis) {
  Points center(3, basis.handle_count());
  for (Index i = 0; i < basis.handle_count(); ++i) center.col(i) = basis.center[i];
  archive.write(name + "/center", center);
  archive.write(name + "/radius", std::span<const double>(basis.radius));
  archive.write(name + "/begin", std::span<const std::int64_t>(basis.begin));
  archive.write(name + "/handle", std::span<const Index>(basis.handle));
  archive.write(name + "/weight", std::span<const double>(basis.weight));
}

void write_partition(ArchiveWriter& archive, const std::string& name, const Partition& partition) {
  archive.write(name + "/tet_cluster", std::span<const Index>(partition.tet_cluster));
  archive.write(name + "/center", std::span<const Index>(partition.center));
}

// Reads a basis and checks its sizes, ranges and numbers: a damaged file of the cache must not reach the kernels.
HandleBasis read_basis(const ArchiveReader& archive, const std::string& name, Index vertex_count) {
  HandleBasis basis;
  const Points center = archive.points(name + "/center");
  for (Index i = 0; i < center.cols(); ++i) basis.center.push_back(center.col(i));
  basis.radius = archive.doubles(name + "/radius");
  basis.begin = archive.integers(name + "/begin");
  basis.handle = archive.integers32(name + "/handle");
  basis.weight = archive.doubles(name + "/weight");

  expect_size(name + "/radius", basis.radius.size(), basis.center.size());
  expect_size(name + "/begin", basis.begin.size(), static_cast<std::size_t>(vertex_count) + 1);
  expect_size(name + "/weight", basis.weight.size(), basis.handle.size());
  expect_offsets(name + "/begin", basis.begin, basis.handle.size());
  expect_in_range(name + "/handle", basis.handle, basis.handle_count());
  for (std::size_t v = 0; v < static_cast<std::size_t>(vertex_count); ++v) {
    for (auto e = basis.begin[v] + 1; e < basis.begin[v + 1]; ++e) {
      if (basis.handle[e] <= basis.handle[e - 1]) {
        fail_input(code::file_damaged, "entry '{}/handle' does not ascend at vertex {}: {}", name, v, remedy);
      }
    }
  }
  for (double radius : basis.radius) {
    if (!(radius > 0) || !std::isfinite(radius)) {
      fail_input(code::file_damaged, "entry '{}/radius' holds {}, expected a positive number: {}", name, radius,
                 remedy);
    }
  }
  for (double weight : basis.weight) {
    if (!std::isfinite(weight))
      fail_input(code::file_damaged, "entry '{}/weight' holds {}, expected a number: {}", name, weight, remedy);
  }
  if (!center.allFinite())
    fail_input(code::file_damaged, "entry '{}/center' holds values that are not numbers: {}", name, remedy);
  return basis;
}

Partition read_partition(const ArchiveReader& archive, const std::string& name, Index tet_count, Index vertex_count) {
  Partition partition;
  partition.tet_cluster = archive.integers32(name + "/tet_cluster");
  partition.center = archive.integers32(name + "/center");
  expect_size(name + "/tet_cluster", partition.tet_cluster.size(), static_cast<std::size_t>(tet_count));
  expect_in_range(name + "/tet_cluster", partition.tet_cluster, partition.cluster_count());
  expect_in_range(name + "/center", partition.center, vertex_count);
  std::vector<char> used(partition.center.size(), 0);
  for (Index c : partition.tet_cluster) used[c] = 1;
  for (std::size_t c = 0; c < used.size(); ++c) {
    if (!used[c]) fail_input(code::file_damaged, "entry '{}/tet_cluster' leaves cluster {} empty: {}", name, c, remedy);
  }
  return partition;
}

}  // namespace sinew
