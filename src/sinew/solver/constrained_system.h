// Sets up the linear system of a Newton step, H d = -g, with prescribed coordinates of d.
#pragma once

#include <span>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Computes rhs (3 x rows) = -g - H d_p - drift at the free coordinates and 0 at the fixed ones. d_p is d where fixed[3
// i + axis] != 0, else zero. Call this before H is constrained. An empty drift means d_p = 0 and no drift.
void free_right_hand_side(const SymBlockMatrix& H, std::span<const char> fixed, const Points& drift, const Points& g,
                          const Points& d, Points& rhs);

// Computes rhs for resting prescribed coordinates: -g at the free coordinates, 0 at the fixed ones.
void set_free(const Points& g, std::span<const char> fixed, Points& rhs);

// Returns the mean diagonal, or 1 if it is zero: the scale for rows of prescribed coordinates.
double mean_diagonal(const SymBlockMatrix& H);

// Copies the free coordinates of `solution` to d; the others keep their values.
void take_free(const Points& solution, std::span<const char> fixed, Points& d);

// Whether all numbers on the diagonal are finite.
bool finite_diagonal(const SymBlockMatrix& H);

}  // namespace sinew
