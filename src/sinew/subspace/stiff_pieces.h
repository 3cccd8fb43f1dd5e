// Handles of stiff pieces inside softer material, for preconditioners.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// One handle for each connected piece of one material that is at least ten times as stiff as the softest tet beside it
// and has no fixed vertex: weight 1 at the vertices of the piece. Pieces beyond one for 90 vertices of the domain, the
// smallest ones, have none; nor have pieces that are whole bodies.
//
// A piece can move rigidly at the cost of the soft layer around it, while every block diagonal and every smooth
// function feels its own stiffness: with a ratio of stiffness k each piece leaves H six eigenvalues of order 1 / k
// beside the others, and conjugate gradients need many iterations for each. These motions are removed exactly by a
// coarse space that contains them (Jonsthovel, van Gijzen, MacLachlan, Vuik and Scarpas 2012, "Comparison of the
// deflated preconditioned conjugate gradient method and algebraic multigrid for composite materials").
HandleBasis stiff_piece_basis(const Domain& domain);

}  // namespace sinew
