// The candidates of adaptive subspaces: handles and dense modes that a simulation may take in (TS, section 3.5; theory,
// section 8).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

struct ModeLibrary {
  // In this order: handles of the motions that fixed vertices leave free, one handle for each connected body with a
  // free vertex, the remaining handles of each kind.
  HandleBasis handles;
  MatX modes;      // m x 3 dynamic_count: dense modes, one a row; candidates handle_count() to handle_count() + m - 1
  Index kept = 0;  // handles that stay active, so that every body can move: the first ones
  Index initial = 0;              // candidates that are active at the start, at least `kept`
  std::vector<Index> tet_region;  // by tet: regions that are activated as one
  Index regions = 0;
  double seconds = 0;  // of making or reading it
  bool cached = false;

  Index mode_count() const { return static_cast<Index>(modes.rows()); }
  Index candidate_count() const { return handles.handle_count() + mode_count(); }
};

// Names of solver.adaptive.library.
std::vector<std::string> library_kinds();

// Kept in the user's cache folder if the system is large enough (least_cached_tets).
// For the prescribed coordinates `fixed` (3 dynamic_count flags); weights vanish at vertices that are wholly fixed.
std::shared_ptr<const ModeLibrary> make_mode_library(const System& system, const std::vector<char>& fixed);

}  // namespace sinew
