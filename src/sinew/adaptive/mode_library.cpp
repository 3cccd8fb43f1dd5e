#include "sinew/adaptive/mode_library.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/ranges.h>

#include "sinew/core/activity.h"
#include "sinew/core/archive.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/cache_folder.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/timer.h"
#include "sinew/core/version.h"
#include "sinew/modes/mode_cache.h"
#include "sinew/modes/mode_file.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/modes/mode_union.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/multilevel/preparation_sources.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/affine.h"
#include "sinew/subspace/basis_archive.h"
#include "sinew/subspace/basis_methods.h"
#include "sinew/subspace/free_motions.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

constexpr const char* modes_archive_kind = "modes";
constexpr Index automatic_library_handles = 20;  // of a kind, or three a body (TS, table 1: 17 to 48)
constexpr Index automatic_initial = 5;           // beyond one a body (TS, table 2: 5 in most scenes)
constexpr Index tets_a_region = 800;             // (TS, table 2: 320 to 4400)
constexpr Index most_regions = 1000;

// Connected bodies with a free vertex: each has a motion of its own that must always be active.
Index moving_components(const Domain& domain) {
  std::vector<char> moves(domain.component_count, 0);
  for (Index t = 0; t < domain.tet_count(); ++t)
    for (int k = 0; k < 4; ++k)
      if (!domain.fixed[domain.tets(k, t)]) moves[domain.component[t]] = 1;
  return static_cast<Index>(std::count(moves.begin(), moves.end(), 1));
}

// One kind of handles, with 12 modes each (TS, section 3.5, "Modal Block Candidates").
HandleBasis make_kind(const Domain& domain, const std::string& kind, Index handles) {
  if (kind == "eigenmodes") {
    activity::begin("skinning eigenmodes", handles);
    return skinning_eigenmodes(domain, handles);
  }
  if (kind == "affine") return affine_basis(domain);
  PartitionOptions options;
  options.handles = handles;
  activity::begin("clusters");
  const Partition partition = make_partition(domain, options);
  activity::begin("basis functions", partition.cluster_count());
  return make_basis(domain, partition, kind);
}

// Scales each dense mode so that its largest entry is 1: thresholds on q then mean lengths.
void append_modes(MatX more, MatX& modes) {
  for (Index s = 0; s < more.rows(); ++s) {
    const double largest = more.row(s).cwiseAbs().maxCoeff();
    if (largest > 0) more.row(s) /= largest;
  }
  const MatX before = std::move(modes);
  modes.resize(before.rows() + more.rows(), more.cols());
  if (before.rows() > 0) modes.topRows(before.rows()) = before;
  modes.bottomRows(more.rows()) = more;
}

// A file named by the hash of all that the library follows from, and of the sources that make it; empty: nowhere.
std::string cache_path(const System& system, const Domain& domain, const std::vector<char>& fixed, Index handles,
                       Index regions) {
  const std::string folder = cache_folder();
  if (folder.empty() || !is_kept(domain, system.setup.solver)) return {};
  ContentHash hash;
  hash.add(std::string(preparation_sources()));
  hash.add(std::string(instructions()));
  const std::int64_t counts[] = {domain.vertex_count(), domain.tet_count(), handles, regions};
  hash.add_values(std::span<const std::int64_t>(counts));
  hash.add_values(std::span(domain.vertices.data(), static_cast<std::size_t>(domain.vertices.size())));
  hash.add_values(std::span(domain.tets.data(), static_cast<std::size_t>(domain.tets.size())));
  for (const auto* values : {&domain.young, &domain.lambda, &domain.mu, &domain.mass})
    hash.add_values(std::span<const double>(*values));
  hash.add_values(std::span<const Index>(domain.material));
  hash.add_values(std::span<const char>(domain.fixed));
  for (const std::string& kind : system.setup.solver.adaptive.library)
    if (!is_mode_file(kind)) hash.add(kind);
  // What linear modes follow from beyond the domain.
  hash.add_values(std::span<const char>(fixed));
  add_elasticity(system, hash);
  return (std::filesystem::path(folder) / "modes" / (hash.hex() + ".h5")).string();
}

// The handles and regions of a file of the cache; false where there is none or it is damaged.
bool read_cached(const std::string& path, const Domain& domain, ModeLibrary& library) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return false;
  try {
    const ArchiveReader archive(path, modes_archive_kind);
    library.handles = read_basis(archive, "handles", domain.vertex_count());
    const Partition partition = read_partition(archive, "regions", domain.tet_count(), domain.vertex_count());
    library.tet_region = partition.tet_cluster;
    library.regions = partition.cluster_count();
    const std::vector<double> modes = archive.doubles("dense");
    const std::size_t columns = 3 * static_cast<std::size_t>(domain.vertex_count());
    if (modes.size() % columns != 0) fail_input(code::file_damaged, "entry dense has {} numbers", modes.size());
    if (!modes.empty())
      library.modes = Eigen::Map<const MatX>(modes.data(), static_cast<Eigen::Index>(modes.size() / columns),
                                             static_cast<Eigen::Index>(columns));
    library.cached = true;
    return true;
  } catch (const InputError& error) {
    log::warning("the cached library of modes is rebuilt: {}", error.what());
    return false;
  }
}

// A cache that cannot be written is a warning: the run goes on without it.
void write_cached(const std::string& path, const HandleBasis& handles, const MatX& dense, const Partition& regions) {
  if (path.empty()) return;
  try {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ArchiveWriter archive(path, modes_archive_kind);
    write_basis(archive, "handles", handles);
    write_partition(archive, "regions", regions);
    archive.write("dense", std::span(dense.data(), static_cast<std::size_t>(dense.size())));
    archive.commit();
  } catch (const std::exception& error) {
    log::warning("the library of modes cannot be cached: {}", error.what());
  }
}

}  // namespace

std::vector<std::string> library_kinds() {
  std::vector<std::string> kinds = {"eigenmodes", "sms", "biharmonic", "affine"};
  for (const ModeKind& kind : mode_kinds()) kinds.emplace_back(kind.name);
  return kinds;
}

// The candidates, in the order of their numbers:
//
// 1. affine functions that vanish at fixed vertices (always active),
// 2. one affine handle a body, unless the first kind has constant functions itself (always active),
// 3. the handles of each kind of solver.adaptive.library, several kinds at once (future work in TS, section 5),
// 4. dense modes: linear and inertia modes (theory, section 9), files of modes.
//
// Regions are a METIS partition of the tets (TS, section 3.6, footnote 5), by default of 800 tets each.
std::shared_ptr<const ModeLibrary> make_mode_library(const System& system, const std::vector<char>& fixed) {
  const Stopwatch watch;
  const AdaptiveSetup& setup = system.setup.solver.adaptive;
  const Domain domain = make_domain(system, fixed);
  auto library = std::make_shared<ModeLibrary>();
  const Index bodies = moving_components(domain);
  const Index handles =
      system.setup.solver.handles > 0 ? system.setup.solver.handles : std::max(automatic_library_handles, 3 * bodies);

  const std::vector<std::string> known = library_kinds();
  for (const std::string& kind : setup.library)
    if (!is_mode_file(kind) && std::ranges::find(known, kind) == known.end())
      fail_input(code::scene_value,
                 "solver.adaptive.library: \"{}\" is unknown; use some of {}, or a file of modes (.npz)", kind,
                 fmt::join(known, ", "));
  PartitionOptions regions;
  regions.method = "metis";
  regions.handles =
      setup.regions > 0 ? setup.regions : std::clamp(domain.tet_count() / tets_a_region, Index{1}, most_regions);
  const std::string path = cache_path(system, domain, fixed, handles, regions.handles);
  if (!read_cached(path, domain, *library)) {
    // The lowest eigenmodes of bodies are their own motions; other kinds have none that moves a body by itself.
    std::vector<HandleBasis> parts{free_motion_handles(domain)};
    if (setup.library.empty() || (setup.library[0] != "eigenmodes" && setup.library[0] != "affine"))
      parts.push_back(affine_basis(domain));
    for (const std::string& kind : setup.library) {
      if (find_mode_kind(kind) != nullptr)  // the handles of bodies have the motions without strain
        append_modes(modes_of_kinds(system, fixed, {kind}, {handles, ""}).vectors.transpose(), library->modes);
      else if (!is_mode_file(kind))
        parts.push_back(make_kind(domain, kind, handles));
    }
    std::vector<const HandleBasis*> joined;
    for (const HandleBasis& part : parts) joined.push_back(&part);
    library->handles = joined_handles(joined);
    activity::begin("regions");
    const Partition partition = make_partition(domain, regions);
    library->tet_region = partition.tet_cluster;
    library->regions = partition.cluster_count();
    write_cached(path, library->handles, library->modes, partition);
  }
  for (const std::string& kind : setup.library)
    if (is_mode_file(kind)) append_modes(read_modes(kind, system).vectors.transpose(), library->modes);
  library->kept = std::min(bodies + free_motion_handles(domain).handle_count(), library->handles.handle_count());
  const Index wanted = setup.initial > 0 ? setup.initial : library->kept + automatic_initial;
  library->initial = std::clamp(wanted, library->kept, library->candidate_count());
  activity::finish();
  library->seconds = watch.seconds();
  return library;
}

}  // namespace sinew
