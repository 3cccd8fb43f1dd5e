// The candidates of adaptive subspaces: handles and dense modes that may become active (TS, section 3.5; theory,
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
  // Order: handles of the motions that fixed vertices leave free, one handle for each connected body with a free
  // vertex, then the remaining handles of each kind.
  HandleBasis handles;
  MatX modes;                     // m x 3 dynamic_count: dense modes by rows; candidates from handle_count() on
  Index kept = 0;                 // number of handles, the first ones, that stay active so that every body can move
  Index initial = 0;              // number of candidates that are active at the start, at least `kept`
  std::vector<Index> tet_region;  // by tet: its region; a region is activated as a whole
  Index regions = 0;
  double seconds = 0;  // time to make or read it [s]
  bool cached = false;

  Index mode_count() const { return static_cast<Index>(modes.rows()); }
  Index candidate_count() const { return handles.handle_count() + mode_count(); }
};

// The names that solver.adaptive.library accepts.
std::vector<std::string> library_kinds();

// Makes or reads the library for the prescribed coordinates `fixed` (3 dynamic_count flags). Weights vanish at vertices
// that are fixed along all axes. The library is kept in the user's cache folder if the system is large enough
// (least_cached_tets).
std::shared_ptr<const ModeLibrary> make_mode_library(const System& system, const std::vector<char>& fixed);

}  // namespace sinew
