// Reduces many candidates to few modes (EP, section 4.3.2; Barbic and James 2005).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/modes/rest_body.h"

namespace sinew {

struct ReducedModes {
  VecX values;   // u^T K u of each mode [1/s^2], ascending
  MatX vectors;  // orthonormal in the mass, and orthogonal in the stiffness
};

// Returns `count` modes, or fewer if the candidates span fewer. Larger candidates count more. Method "pca": principal
// components in the mass. Method "random": random sparse combinations of all candidates (Achlioptas 2001), which cost
// one product. Deterministic for a seed. Throws InputError for an unknown method.
ReducedModes reduce_modes(const RestBody& body, const MatX& candidates, Index count, const std::string& method,
                          std::uint64_t seed = 1);

std::vector<std::string> reduction_methods();

// Returns the vibrations within the span of U: U V with V^T (U^T K U) V diagonal. The columns of U must be orthonormal
// in the mass.
ReducedModes vibrations_of_span(const RestBody& body, const MatX& U);

}  // namespace sinew
