// Modes of large deformations: linear modes and the derivatives of all pairs, reduced to few modes (EP, section 4.3;
// Barbic and James 2005).
#pragma once

#include <string>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/inertia_modes.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

enum class LinearBasis { vibration, inertia };

struct NonlinearModeOptions {
  LinearBasis basis = LinearBasis::vibration;
  InertiaOptions inertia;         // for LinearBasis::inertia
  ModeCount linear{0, "linear"};  // modes of each body from which derivatives are made; 0: linear_mode_count()
  int order = 1;                  // order of the derivatives
  std::string reduction = "pca";
};

// Returns the smallest number of linear modes that, with their first derivatives, are at least three times `count`: 12
// for 30, as in EP's tables.
Index linear_mode_count(Index count);

// Returns the linear modes of a body and their derivatives. They are scaled to a motion in which the softest mode moves
// by a tenth of the scene's diagonal. The number options.linear must be > 0.
MatX mode_candidates(const System& system, RestBody& body, const NonlinearModeOptions& options);

// Returns the `count` modes of lowest Rayleigh quotients over all bodies, or fewer if the candidates span fewer. Each
// body's modes are orthonormal in the mass, without rigid motions. fixed: 3 dynamic_count flags. Throws InputError for
// more modes than elastic coordinates, for more linear modes than a body has, or like rest_bodies().
ModeSet nonlinear_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count,
                        const NonlinearModeOptions& options);

}  // namespace sinew
