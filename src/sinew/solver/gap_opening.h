// Opens gaps that are so small that nothing can be computed with them.
#pragma once

#include <vector>

#include "sinew/potential/incremental_potential.h"

namespace sinew {

// Over the contact distance: gaps below the first are opened by the second; how often, as the closest are opened first.
inline constexpr double closed_gap = 1e-6, opened_gap = 1e-3;
inline constexpr int most_gap_openings = 20;

// Gaps of rounding, as states of runs with older versions may have, have forces and stiffnesses beyond all others:
// directions lose their digits, and filters let no vertex move. Where contacts at x (3 x n_all) are closer than a
// millionth of the contact distance, moves their vertices apart along the forces of these contacts by a thousandth of
// it, as far as the filter allows. Such a way is far below what bodies are resolved to. Contacts must be set at x, and
// are at the result. True where it moved something.
bool open_gaps(IncrementalPotential& potential, Points& x, const std::vector<PlaneState>& planes);

}  // namespace sinew
