#include "sinew/reduced/mode_library.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/affine.h"
#include "sinew/subspace/basis_methods.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

constexpr Index automatic_handles = 20;  // of a kind, or three a body (TS, table 1: 17 to 48)
constexpr Index automatic_initial = 5;   // beyond one a body (TS, table 2: 5 in most scenes)
constexpr Index tets_a_region = 800;     // (TS, table 2: 320 to 4400)
constexpr Index most_regions = 1000;

// Components with a free vertex.
Index moving_components(const Domain& domain) {
  std::vector<char> moves(domain.component_count, 0);
  for (Index t = 0; t < domain.tet_count(); ++t)
    for (int k = 0; k < 4; ++k)
      if (!domain.fixed[domain.tets(k, t)]) moves[domain.component[t]] = 1;
  return static_cast<Index>(std::count(moves.begin(), moves.end(), 1));
}

HandleBasis make_kind(const Domain& domain, const std::string& kind, Index handles) {
  if (kind == "eigenmodes") {
    activity::begin("skinning eigenmodes");
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

}  // namespace

std::vector<std::string> mode_kinds() {
  return {"eigenmodes", "sms", "biharmonic", "affine"};
}

std::shared_ptr<const ModeLibrary> make_mode_library(const System& system, const std::vector<char>& fixed) {
  const Stopwatch watch;
  const AdaptiveSetup& setup = system.setup.solver.adaptive;
  const Domain domain = make_domain(system, fixed);
  auto library = std::make_shared<ModeLibrary>();
  const Index bodies = moving_components(domain);
  const Index handles =
      system.setup.solver.handles > 0 ? system.setup.solver.handles : std::max(automatic_handles, 3 * bodies);

  // The lowest eigenmodes of bodies are their own motions; other kinds have none that moves a body by itself.
  std::vector<HandleBasis> parts;
  if (setup.library.empty() || (setup.library[0] != "eigenmodes" && setup.library[0] != "affine"))
    parts.push_back(affine_basis(domain));
  const std::vector<std::string> known = mode_kinds();
  for (const std::string& kind : setup.library) {
    if (std::ranges::find(known, kind) == known.end())
      fail_input("solver.adaptive.library: \"{}\" is unknown; use some of {}", kind, fmt::join(known, ", "));
    parts.push_back(make_kind(domain, kind, handles));
  }
  std::vector<const HandleBasis*> joined;
  for (const HandleBasis& part : parts) joined.push_back(&part);
  library->handles = joined_handles(joined);
  library->kept = std::min(bodies, library->handles.handle_count());
  const Index wanted = setup.initial > 0 ? setup.initial : library->kept + automatic_initial;
  library->initial = std::clamp(wanted, library->kept, library->handles.handle_count());

  activity::begin("regions");
  PartitionOptions regions;
  regions.method = "metis";
  regions.handles =
      setup.regions > 0 ? setup.regions : std::clamp(domain.tet_count() / tets_a_region, Index{1}, most_regions);
  const Partition partition = make_partition(domain, regions);
  library->tet_region = partition.tet_cluster;
  library->regions = partition.cluster_count();
  activity::finish();
  library->seconds = watch.seconds();
  return library;
}

}  // namespace sinew
