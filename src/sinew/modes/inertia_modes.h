// Linear inertia modes: a Krylov space of K^-1 M from one factorisation or by multigrid (EP, section 4.1; theory,
// section 9).
#pragma once

#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/inertia_start.h"
#include "sinew/modes/mass_gram_schmidt.h"
#include "sinew/modes/merged_modes.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

enum class InertiaSolver {
  automatic,  // multigrid if a factorisation needs more work; sampled products need the factorisation
  factor,
  multigrid,  // the factorisation if the span of the modes cannot be shown to be accurate
};

struct InertiaOptions {
  InertiaStart start;
  GramSchmidtOptions orthogonal;
  InertiaSolver solver = InertiaSolver::automatic;
};

// Makes modes U^(m) = K^-1 M U^(m-1), each order orthogonal to the earlier ones, until each connected body has `count`
// modes. Returns the modes of lowest Rayleigh quotients, or fewer if the Krylov spaces end. The allowed rigid motions
// are not among the modes.
//
// values: Rayleigh quotients, ascending. vectors: unit norm in the mass. fixed: 3 dynamic_count flags. Throws
// InputError for more modes than elastic coordinates, or like rest_bodies() and inertia_start().
ModeSet inertia_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count,
                      const InertiaOptions& options = {});

// Returns the modes of one body, fewer if its Krylov space ends. Values: Rayleigh quotients, not sorted.
BodyModes inertia_modes_of(RestBody& body, Index count, const InertiaOptions& options = {});

}  // namespace sinew
