// Vibrations about a state: the lowest eigenpairs K u = omega^2 M u of its tangent (theory, section 11).
#pragma once

#include "sinew/modes/mode_set.h"
#include "sinew/perturbation/tangent.h"

namespace sinew {

// values: omega^2 [1/s^2], ascending; negative ones belong to motions that grow from an unstable state. Motions without
// stiffness have 0. vectors: 3 dynamic_count rows, orthonormal in M, with tied vertices in place. kind: "vibrations".
// Throws InputError for more modes than free coordinates. Reports progress (core/activity.h). Deterministic for any
// number of threads.
ModeSet vibrations(const Tangent& tangent, Index count);

}  // namespace sinew
