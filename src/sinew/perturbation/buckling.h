// Linear buckling: factors on a scene's loads at which the stiffness becomes singular, and the shapes of collapse
// (theory, section 11).
#pragma once

#include "sinew/modes/mode_set.h"
#include "sinew/perturbation/tangent.h"

namespace sinew {

struct BucklingOptions {
  Index count = 5;
  bool reverse = false;  // loads in the opposite direction
};

// values: the smallest positive factors on the change of loads (load_change.h), ascending. vectors: shapes with 3
// dynamic_count rows, of which the largest displacement of a vertex is 1 m. kind: "buckling". There may be fewer than
// `count`, even none. Throws InputError unless the state is stable and held. Reports progress (core/activity.h).
// Deterministic for any number of threads.
ModeSet buckling(Tangent& tangent, const BucklingOptions& options);

}  // namespace sinew
