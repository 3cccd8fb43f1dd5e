// Computes the longest step along a search direction at which one pair of primitives keeps a share of its distance. The
// method is additive CCD (Li et al. 2021, "Codimensional incremental potential contact", sec. 3), with the directional
// speed bound of ccd_axis.h in place of the norm bound.
#pragma once

#include <array>

#include "sinew/core/types.h"

namespace sinew::ccd {

// The least share of the initial gap that remains after a step.
inline constexpr double kKeptGap = 0.1;
// A pair that keeps more than this share of its initial gap does not limit a step.
inline constexpr double kFreeGap = 2 * kKeptGap;

// Largest alpha found in [0, limit] for which a vertex and a triangle keep kKeptGap of their gap at x along x + alpha d
// (x, d: 3 x n_all [m]). The gap is the distance less `offset` [m], at which the two surfaces touch. The vertex is
// v[0], the triangle v[1] v[2] v[3]. The bound also holds after the positions are rounded. Returns 0 if input is not
// finite, or if the gap at x is of the size of rounding and the pair does not clearly separate. The result is
// min(limit, a number that does not depend on limit).
double vertex_face_step(const Points& x, const Points& d, const std::array<Index, 4>& v, double limit,
                        double offset = 0);

// As vertex_face_step(), for edges v[0] v[1] and v[2] v[3].
double edge_edge_step(const Points& x, const Points& d, const std::array<Index, 4>& v, double limit, double offset = 0);

}  // namespace sinew::ccd
