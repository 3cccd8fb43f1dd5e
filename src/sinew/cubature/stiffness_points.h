// Rules of a given number of points for reduced simulations: tets and weights whose sum of energies is closest to that
// of all tets in every direction that the handles can move them.
//
// In the coordinates of ClusterStiffness the full sum is I; the rule minimises |sum_e w_e Y_e Y_e^T - I|_F over w >= 0.
// Candidates are drawn by their leverage. Points enter a lot at a time, those along which most is missing (the largest
// correlation <Y_e Y_e^T, residual> / |Y_e Y_e^T|), and after each lot all weights are fitted anew by NNLS: orthogonal
// matching pursuit, as optimised cubature (An, Kim & James 2008), but for the reduced stiffness instead of the forces
// of training poses.
#pragma once

#include <cstdint>

#include "sinew/cubature/cubature.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Each connected component has at least as many points as handles, the rest is shared out by volume; weights may drop
// some of them. points: at least the number of handles, at most that of tets (InputError). The volume is not kept.
// O(rank^2) flops a tet. Deterministic.
Cubature stiffness_points(const Domain& domain, const HandleBasis& basis, Index points, std::uint64_t seed = 1);

}  // namespace sinew
