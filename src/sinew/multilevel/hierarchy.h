// The levels of a system: bases on its rest shape, from coarse to fine, and cubature rules over few tets. Made once for
// a scene and kept in the user's cache folder; used by methods and preconditioners.
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
  HandleBasis affine;  // one handle for each connected body; empty unless requested
  HandleBasis subspace;
  HandleBasis pieces;  // stiff pieces, for preconditioners (subspace/stiff_pieces.h)
  Cubature cubature;   // empty unless requested
  double hops = 0;     // mean over clusters of the number of edges from the centre to the farthest vertex
  double seconds = 0;  // time to make or read it [s]
  bool cached = false;
};

// Returns 3 dynamic_count flags of the coordinates that are prescribed when a run begins.
std::vector<char> prescribed_at_start(const System& system);

// Whether a method corrects by affine motions of bodies; otherwise that basis is not made.
inline bool has_affine_level(const MultilevelSetup& setup) {
  return setup.printed && setup.printed->affine;
}

PartitionOptions partition_options(const SolverSetup& solver);

// Whether hierarchies of this domain are cached; they are not below least_cached_tets (core/cache_folder.h).
bool is_kept(const Domain& domain, const SolverSetup& solver);

// Makes or reads the hierarchy. fixed: 3 dynamic_count flags of prescribed coordinates (StepContext::prescribed).
// handles: replaces solver.handles; 0: a number that suits the size of the scene.
std::shared_ptr<const Hierarchy> make_hierarchy(const System& system, const std::vector<char>& fixed,
                                                std::optional<int> handles = {});

}  // namespace sinew
