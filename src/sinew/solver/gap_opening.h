// Opens gaps that are too small for floating-point arithmetic.
#pragma once

#include <vector>

#include "sinew/potential/incremental_potential.h"

namespace sinew {

// In units of the contact distance: gaps below closed_gap are opened by opened_gap, the closest first, in at most
// most_gap_openings rounds.
inline constexpr double closed_gap = 1e-6, opened_gap = 1e-3;
inline constexpr int most_gap_openings = 20;

// Gaps of rounding size, as in states of older versions, have huge forces and stiffnesses: directions lose their
// digits, and filters let no vertex move. If contacts at x (3 x n_all) are closer than a millionth of the contact
// distance, their vertices move apart by a thousandth of it. They move along the contact forces, as far as the filter
// allows. Contacts must be set at x, and are set at the result. Returns whether a vertex moved.
bool open_gaps(IncrementalPotential& potential, Points& x, const std::vector<PlaneState>& planes);

}  // namespace sinew
