// Cubature rules with a given number of points for reduced simulations: tets and weights whose energies at rest are
// close to the full energies in every direction of the handles.
//
// In the coordinates of ClusterStiffness the full sum is I. The rule minimises |sum_e w_e Y_e Y_e^T - I|_F over w >= 0.
// Candidates are drawn by leverage. Points with the largest correlation <Y_e Y_e^T, residual> / |Y_e Y_e^T| enter in
// batches, and NNLS fits all weights after each batch. The algorithm is orthogonal matching pursuit, like optimised
// cubature (An, Kim & James 2008). It fits the reduced stiffness instead of the forces of training poses.
#pragma once

#include <cstdint>

#include "sinew/cubature/cubature.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Each connected component gets at least as many points as handles. The rest are distributed by volume; NNLS may drop
// some points. points: at least the number of handles, at most the number of tets (InputError). Weights do not sum to
// the volume. O(rank^2) flops for each tet. Deterministic.
Cubature stiffness_points(const Domain& domain, const HandleBasis& basis, Index points, std::uint64_t seed = 1);

}  // namespace sinew
