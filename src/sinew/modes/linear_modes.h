// Linear modes: the lowest eigenpairs K u = omega^2 M u of the elastic Hessian at rest (theory, section 9).
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

// K [N/m] is the stiffness at rest and M [kg] the lumped mass. fixed: 3 dynamic_count flags of coordinates that do not
// move. values: omega^2 [1/s^2], ascending. vectors: 3 dynamic_count rows, interleaved, orthonormal in the mass. Unless
// `rigid` is false, motions without strain (rigid, or about hinges) are among the modes with value 0. Each connected
// body is solved separately, and each mode moves one body. Throws InputError for more modes than coordinates, or like
// rest_bodies(). Reports progress (core/activity.h). Deterministic for any number of threads.
ModeSet linear_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count, bool rigid = true);

// Returns the modes of one body, at most one for each coordinate.
BodyModes linear_modes_of(RestBody& body, Index count);

// Returns the `count` lowest modes of each connected body, or all of them, at the body's own vertices.
std::vector<BodyModes> linear_modes_by_body(const System& system, const std::vector<char>& fixed, Index count);

}  // namespace sinew
