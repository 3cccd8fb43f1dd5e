// The linear system of a Newton step, H d = -g, where some coordinates of d are prescribed.
#pragma once

#include <span>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// rhs (3 x rows) = -g - H d_p - drift at the free coordinates, d_p being d at those with fixed[3 i + axis] != 0 and
// zero elsewhere; zero at the fixed ones. Before H is constrained. An empty drift stands for d_p = 0 and no drift.
void free_right_hand_side(const SymBlockMatrix& H, std::span<const char> fixed, const Points& drift, const Points& g,
                          const Points& d, Points& rhs);

// The same with nothing prescribed that moves: rhs = -g at the free coordinates, zero at the fixed ones.
void set_free(const Points& g, std::span<const char> fixed, Points& rhs);

// The scale of the diagonal, so that rows of prescribed coordinates do not spoil the condition; 1 where it is zero.
double mean_diagonal(const SymBlockMatrix& H);

// d = solution at the free coordinates.
void take_free(const Points& solution, std::span<const char> fixed, Points& d);

// Whether all numbers on the diagonal are finite.
bool finite_diagonal(const SymBlockMatrix& H);

}  // namespace sinew
