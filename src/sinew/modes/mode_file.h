// Modes in a NumPy .npz file: what `sinew modes` writes and solver.adaptive.library takes.
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

// Throws SimulationError naming the path where it cannot be written.
void write_modes(const std::string& path, const System& system, const ModeSet& modes);

// Throws InputError naming the file: unreadable, without an array or with one of another shape, of other meshes,
// without any mode, with a mode that is zero or not finite.
ModeSet read_modes(const std::string& path, const System& system);

}  // namespace sinew
