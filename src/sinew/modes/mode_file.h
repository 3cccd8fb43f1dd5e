// Modes in NumPy .npz files, written by `sinew modes` and read by solver.subspace and solver.adaptive.library.
//
//   kind    text
//   values  (k,): omega^2 [1/s^2] of linear modes, fractions of the energy for pod
//   modes   (3 n, k): interleaved, in the user's numbering of vertices
//   rest    (n, 3): rest positions [m], to recognise files of other meshes
#pragma once

#include <string>

#include "sinew/model/system.h"
#include "sinew/modes/mode_set.h"

namespace sinew {

// Writes the modes. Throws SimulationError naming the path if writing fails.
void write_modes(const std::string& path, const System& system, const ModeSet& modes);

// Reads modes, which must be nonzero and finite. Throws InputError naming the file if it is unreadable, lacks an array,
// has an array of another shape, has no modes, or belongs to other meshes.
ModeSet read_modes(const std::string& path, const System& system);

}  // namespace sinew
