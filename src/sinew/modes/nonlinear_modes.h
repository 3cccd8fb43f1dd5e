// Modes of large deformations: linear ones, the derivatives of all pairs of them, and what is left of these in few
// modes (EP, section 4.3; Barbic and James 2005).
#pragma once

#include <string>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/modes/mode_count.h"
#include "sinew/modes/mode_set.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

enum class LinearBasis { vibration, inertia };

struct NonlinearModeOptions {
  LinearBasis basis = LinearBasis::vibration;
  ModeCount linear{0, "linear"};  // modes of each body whose derivatives are taken; 0: linear_mode_count()
  int order = 1;                  // of the derivatives
  std::string reduction = "pca";
};

// The fewest linear modes whose derivatives of first order and they themselves are three times as many as `count`: 12
// for 30, as in EP's tables.
Index linear_mode_count(Index count);

// The linear modes of a body and their derivatives, each as large as its share of a motion whose softest mode moves by
// a tenth of the scene's diagonal: what few modes are made of. options.linear > 0.
MatX mode_candidates(const System& system, RestBody& body, const NonlinearModeOptions& options);

// `count` modes, those of the lowest Rayleigh quotients of all bodies, each body's orthonormal in the mass; rigid
// motions are not among them. Fewer where the candidates span fewer. fixed: 3 dynamic_count flags. Throws InputError
// where more are asked for than there are coordinates that move and bend, or more linear ones than each body has, or as
// rest_bodies() does.
ModeSet nonlinear_modes(const System& system, const std::vector<char>& fixed, const ModeCount& count,
                        const NonlinearModeOptions& options);

}  // namespace sinew
