// Few modes in place of many candidates (EP, section 4.3.2; Barbic and James 2005).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/modes/rest_body.h"

namespace sinew {

struct ReducedModes {
  VecX values;   // u^T K u [1/s^2], ascending
  MatX vectors;  // orthonormal in the mass, and orthogonal in the stiffness
};

// "pca": the `count` principal components in the mass. "random": as many random sparse combinations of all candidates
// (Achlioptas 2001), which cost one product. Candidates count by their size. Fewer where they span fewer. Deterministic
// for a seed. Throws InputError for a method that there is not.
ReducedModes reduce_modes(const RestBody& body, const MatX& candidates, Index count, const std::string& method,
                          std::uint64_t seed = 1);

std::vector<std::string> reduction_methods();

// The vibrations of the span of U, whose columns are orthonormal in the mass: U V with V^T (U^T K U) V diagonal.
ReducedModes vibrations_of_span(const RestBody& body, const MatX& U);

}  // namespace sinew
