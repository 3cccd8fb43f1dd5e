// The methods that precondition by sparse material-aware bases (theory, section 5).
#pragma once

#include <memory>

#include "sinew/model/system.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

// `newton-multilevel`: Newton's directions to solver.linear_tolerance, by conjugate gradients with the multilevel
// preconditioner.
std::unique_ptr<FullSpaceDirection> make_newton_multilevel(std::shared_ptr<const System> system);

// `multilevel`: these directions, solved only as accurately as a step needs (Inexactness). With
// solver.multilevel.printed, the method as in its paper (SmsDirection).
std::unique_ptr<FullSpaceDirection> make_multilevel(std::shared_ptr<const System> system);

}  // namespace sinew
