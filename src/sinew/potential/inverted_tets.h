// Finds tets that are inside out.
#pragma once

#include <vector>

#include "sinew/model/system.h"

namespace sinew {

struct InvertedTet {
  Index tet = -1;       // simulation numbering
  double jacobian = 0;  // det F <= 0
  bool allowed = true;  // whether its material allows this: the energy is finite
};

// The inverted tets at x (3 x n_all or 3 x dynamic_count), in the order of the tets. Tets of material mass_spring are
// not tested.
std::vector<InvertedTet> inverted_tets(const System& system, const Points& x);

}  // namespace sinew
