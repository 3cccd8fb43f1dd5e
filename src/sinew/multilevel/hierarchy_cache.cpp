#include "sinew/multilevel/hierarchy_cache.h"

#include <filesystem>

#include "sinew/core/archive.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/cache_folder.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/version.h"
#include "sinew/cubature/cubature_archive.h"
#include "sinew/multilevel/preparation_sources.h"
#include "sinew/subspace/basis_archive.h"

namespace sinew {
namespace {

constexpr const char* kind = "hierarchy";

template <class Matrix>
void add_matrix(ContentHash& hash, const Matrix& matrix) {
  hash.add_values(std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
}

template <class T>
void add_vector(ContentHash& hash, const std::vector<T>& values) {
  hash.add_values(std::span<const T>(values));
}

}  // namespace

// The key is a hash of all inputs of compute() in multilevel/hierarchy.cpp, and of the sources that make them. A file
// with this name holds what would be computed, bit for bit, so that a warm cache does not change a run.
std::string hierarchy_cache_path(const Domain& domain, const SolverSetup& solver) {
  const std::string folder = cache_folder();
  if (folder.empty()) return {};
  const MultilevelSetup& setup = solver.multilevel;
  ContentHash hash;
  hash.add(std::string(preparation_sources()));
  hash.add(std::string(instructions()));
  const std::int64_t counts[] = {domain.vertex_count(), domain.tet_count(), solver.handles,
                                 setup.has_cubature() ? solver.cubature_degree : -1, has_affine_level(setup)};
  hash.add_values(std::span<const std::int64_t>(counts));
  add_matrix(hash, domain.vertices);
  add_matrix(hash, domain.tets);
  for (const auto* values : {&domain.young, &domain.lambda, &domain.mu, &domain.mass}) add_vector(hash, *values);
  add_vector(hash, domain.material);
  add_vector(hash, domain.fixed);
  hash.add(setup.partition);
  hash.add(setup.basis);
  hash.add(setup.has_cubature() ? solver.cubature_rule : "");
  // The metric of the clusters: |dx| / sqrt(k) with k = (E_e / min E)^stiffness_exponent, interface_stiffness times the
  // softest at interfaces.
  const double metric[] = {setup.stiffness_exponent, setup.interface_stiffness, setup.prune_ratio};
  hash.add(metric, sizeof metric);
  return (std::filesystem::path(folder) / "hierarchies" / (hash.hex() + ".h5")).string();
}

std::optional<Hierarchy> read_hierarchy(const std::string& path, const Domain& domain, const MultilevelSetup& setup) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return {};
  try {
    const ArchiveReader archive(path, kind);
    Hierarchy hierarchy;
    hierarchy.partition = read_partition(archive, "partition", domain.tet_count(), domain.vertex_count());
    if (has_affine_level(setup)) hierarchy.affine = read_basis(archive, "affine", domain.vertex_count());
    hierarchy.subspace = read_basis(archive, "subspace", domain.vertex_count());
    if (setup.has_cubature()) hierarchy.cubature = read_cubature(archive, "cubature", domain.tet_count());
    hierarchy.hops = archive.scalar("hops");
    if (!(hierarchy.hops >= 0))
      fail_input(code::file_damaged, "{}: the mean of hops is {}, expected 0 or more", path, hierarchy.hops);
    hierarchy.cached = true;
    return hierarchy;
  } catch (const InputError& error) {
    log::warning("the cached hierarchy is damaged and is rebuilt: {}", error.what());
    return {};
  }
}

void write_hierarchy(const std::string& path, const Hierarchy& hierarchy) {
  if (path.empty()) return;
  try {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    // The archive is written beside its place and renamed: two runs that make the same hierarchy do not meet.
    remove_unless_regular(path);
    ArchiveWriter archive(path, kind);
    write_partition(archive, "partition", hierarchy.partition);
    if (hierarchy.affine.vertex_count() > 0) write_basis(archive, "affine", hierarchy.affine);
    write_basis(archive, "subspace", hierarchy.subspace);
    if (hierarchy.cubature.point_count() > 0) write_cubature(archive, "cubature", hierarchy.cubature);
    archive.write("hops", hierarchy.hops);
    archive.commit();
  } catch (const std::exception& error) {
    log::warning("the hierarchy of levels cannot be cached: {}", error.what());
  }
}

}  // namespace sinew
