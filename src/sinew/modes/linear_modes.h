// Linear modes: the lowest eigenpairs K u = omega^2 M u of the elastic Hessian at rest (theory, section 9).
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

// K [N/m] of the tets at rest and M [kg] lumped. fixed: 3 dynamic_count flags of coordinates that do not move, whose
// entries of the modes are zero. values: omega^2 [1/s^2], ascending; vectors: 3 dynamic_count rows, interleaved,
// orthonormal in the mass. Motions without strain, rigid ones of a free body and those about hinges, are among them
// with value 0, unless `rigid` is false; connected bodies are solved one by one, and a mode moves one of them. Throws
// InputError where more are asked for than there are coordinates, or as rest_bodies() does. Tells activity of its
// progress. Deterministic for any number of threads.
ModeSet linear_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count, bool rigid = true);

// Those of one body, at most as many as it has coordinates.
BodyModes linear_modes_of(RestBody& body, Index count);

// The same of each connected body by itself: the `count` lowest modes, or as many as it has, at its own vertices.
std::vector<BodyModes> linear_modes_by_body(const System& system, const std::vector<char>& fixed, Index count);

}  // namespace sinew
