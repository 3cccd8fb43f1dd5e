// Modes in NumPy .npz files, written by `sinew modes` and read by solver.subspace and solver.adaptive.library.
//
//   kind    text
//   values  (k,): omega^2 [1/s^2] of linear modes, shares of energy of pod
//   modes   (3 n, k): interleaved, in the user's numbering of vertices
//   rest    (n, 3): rest positions [m], by which a file of other meshes is known
#pragma once

#include <string>

#include "sinew/model/system.h"
#include "sinew/modes/mode_set.h"

namespace sinew {

// Throws SimulationError naming the path if writing fails.
void write_modes(const std::string& path, const System& system, const ModeSet& modes);

// Throws InputError naming the file if it is unreadable, lacks an array, has one of another shape or belongs to other
// meshes. Modes must exist, be nonzero and finite.
ModeSet read_modes(const std::string& path, const System& system);

}  // namespace sinew
