// Opens gaps that are too small for floating-point arithmetic.
#pragma once

#include <vector>

#include "sinew/potential/incremental_potential.h"

namespace sinew {

// Gaps are in units of the contact distance. Gaps below closed_gap are opened by opened_gap, the closest first, in at
// most most_gap_openings rounds.
inline constexpr double closed_gap = 1e-6, opened_gap = 1e-3;
inline constexpr int most_gap_openings = 20;

// Opens contacts at x (3 x n_all) with gaps below closed_gap: their vertices move apart along the contact forces, as
// far as the filter allows. Such gaps are of the size of rounding and occur in states of older versions. Forces and
// stiffnesses are then huge, directions lose all accuracy, and filters let no vertex move. Contacts must be set at x,
// and are set at the result. Returns whether a vertex moved.
bool open_gaps(IncrementalPotential& potential, Points& x, const std::vector<PlaneState>& planes);

}  // namespace sinew
