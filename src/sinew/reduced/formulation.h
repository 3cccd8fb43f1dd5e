// The two formulations of elasticity at cubature points.
#pragma once

namespace sinew {

// Standard finite elements, or mixed ones with independent stretches.
enum class Formulation { standard, mixed };

}  // namespace sinew
