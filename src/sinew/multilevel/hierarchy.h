// The levels of a system: bases on its rest shape, from coarse to fine, and rules that integrate over few tets. Made
// once for a scene and kept in the user's cache folder; serves methods and preconditioners alike.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/cubature/cubature.h"
#include "sinew/model/system.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct Hierarchy {
  Partition partition;
  HandleBasis affine;  // a handle a connected body; empty unless asked for
  HandleBasis subspace;
  HandleBasis pieces;  // stiff pieces, for preconditioners (subspace/stiff_pieces.h)
  Cubature cubature;   // empty unless asked for
  double hops = 0;     // mean over clusters of the edges from the centre to its farthest vertex
  double seconds = 0;  // of making or reading it
  bool cached = false;
};

// 3 dynamic_count flags of the coordinates that are prescribed when a run begins.
std::vector<char> prescribed_at_start(const System& system);

// Whether a method corrects by the affine motions of bodies; else their basis is not made.
inline bool has_affine_level(const MultilevelSetup& setup) {
  return setup.printed && setup.printed->affine;
}

PartitionOptions partition_options(const SolverSetup& solver);

// Whether hierarchies of such a domain are kept: not under least_cached_tets (core/cache_folder.h).
bool is_kept(const Domain& domain, const SolverSetup& solver);

// fixed: 3 dynamic_count, the prescribed coordinates (StepContext::prescribed). handles: in place of solver.handles; 0:
// as many as fit the size of the scene.
std::shared_ptr<const Hierarchy> make_hierarchy(const System& system, const std::vector<char>& fixed,
                                                std::optional<int> handles = {});

}  // namespace sinew
