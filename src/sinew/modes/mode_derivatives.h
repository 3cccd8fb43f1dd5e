// Derivatives of modes by the amplitudes of other modes, for large deformations (Barbic and James 2005 for vibration
// modes, EP section 4.3.1 for inertia modes; theory, section 9).
#pragma once

#include "sinew/modes/rest_body.h"
#include "sinew/modes/stiffness_change.h"

namespace sinew {

// Both functions report progress (core/activity.h).
//
// Returns K^+ (H : u_i) u_j for the columns i <= j of U: k (k + 1) / 2 columns in the order (0, 0) (0, 1) .. (0, k - 1)
// (1, 1) ..
MatX mode_derivatives(RestBody& body, const StiffnessChange& change, const MatX& U);

// Returns the next order, K^+ (H : u_i) v_j of all columns of U and V (EP, equation 9).
MatX higher_derivatives(RestBody& body, const StiffnessChange& change, const MatX& U, const MatX& V);

}  // namespace sinew
