// Makes handles for stiff pieces inside softer material, for preconditioners.
#pragma once

#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {

// Makes a handle of weight 1 for each stiff piece: connected tets of one material, without fixed vertices, at least ten
// times as stiff as the softest adjacent tet. There is at most one handle for 90 vertices of the domain: the smallest
// pieces get none. Pieces that are whole bodies get no handle, either.
//
// A rigid motion of a piece strains only the soft layer around it. With a stiffness ratio k, each piece gives the
// preconditioned H six eigenvalues of order 1 / k, and conjugate gradients need many iterations for each. A coarse
// space with these motions removes them exactly. Source: Jonsthovel, van Gijzen, MacLachlan, Vuik and Scarpas 2012,
// "Comparison of the deflated preconditioned conjugate gradient method and algebraic multigrid for composite
// materials".
HandleBasis stiff_piece_basis(const Domain& domain);

}  // namespace sinew
