// The data of a time step in the coordinates y of a subspace.
#pragma once

#include "sinew/model/step_context.h"

namespace sinew {

// Data of E(y) = 1/2 |y - predictor|_M^2 + scale / (2 h^) |y - reference|_D^2 + scale (-f . y + springs + ...), with D
// = zeta M (theory, section 2).
struct CoordinateStep : StepScalars {
  MatX predictor, reference;     // same size as y; without external forces
  MatX spin_across, spin_along;  // in a rotating frame, see StepContext; else empty
  MatX own_slip_reference;       // positions from which slip is measured; empty: `reference`

  const MatX& slip_reference() const { return own_slip_reference.size() > 0 ? own_slip_reference : reference; }
  double slip_step() const { return own_slip_reference.size() > 0 ? own_slip_step : reference_step; }
};

}  // namespace sinew
