// The displacements U^(0) from which inertia modes follow (EP, equation 2).
#pragma once

#include <string>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

// Names from inertia_starts(). Empty: the six rigid motions, and for a body that can still move rigidly its linear and
// quadratic displacements.
using InertiaStart = std::vector<std::string>;

// Returns the names: "x", "y", "z" (shifts), "rx", "ry", "rz" (turns), "linear" and "quadratic" (displacements linear
// and quadratic in position).
const std::vector<std::string>& inertia_starts();

// Returns U^(0), 3 n x k. It is zero at prescribed coordinates and orthogonal in the mass to the allowed rigid motions;
// of a body with such motions its columns are independent. Throws InputError if nothing is left of the named
// displacements.
MatX inertia_start(const RestBody& body, const InertiaStart& names = {});

}  // namespace sinew
