// The methods whose preconditioner uses sparse material-aware bases (theory, section 5).
#pragma once

#include <memory>

#include "sinew/core/preparation.h"
#include "sinew/model/system.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

// prepared: what a copy of a simulation takes over; empty: nothing.

// Makes `newton-multilevel`: Newton directions solved to solver.linear_tolerance by conjugate gradients with the
// multilevel preconditioner.
std::unique_ptr<FullSpaceDirection> make_newton_multilevel(std::shared_ptr<const System> system,
                                                           const Preparation& prepared = {});

// Makes `multilevel`: the same directions, solved only as accurately as a step needs (Inexactness). With
// solver.multilevel.printed, the method as in its paper (SmsDirection).
std::unique_ptr<FullSpaceDirection> make_multilevel(std::shared_ptr<const System> system,
                                                    const Preparation& prepared = {});

}  // namespace sinew
