// Continuous collision detection of one pair of primitives whose vertices move on straight lines.
//
// Conservative: an existing contact, touching included, is never missed, under rounding too. False positives happen
// only where the gap falls to the rounding of the input (about 2e-15 of the primitives' extent).
#pragma once

#include <optional>

#include "sinew/core/types.h"

namespace sinew::ccd {

// Time of impact in [0, 1] of vertex v and triangle (a, b, c), given positions [m] at t = 0 and t = 1; no value if they
// stay apart. The returned time is never after the first contact. Contact at the start, and input that is not finite or
// overflows, give 0. Takes at most 512 cheap iterations. A pair that is still undecided counts as contact at the last
// time proved to be free.
std::optional<double> vertex_face(const Vec3& v_t0, const Vec3& a_t0, const Vec3& b_t0, const Vec3& c_t0,
                                  const Vec3& v_t1, const Vec3& a_t1, const Vec3& b_t1, const Vec3& c_t1);

// Time of impact of edges (a0, a1) and (b0, b1), with the guarantees of vertex_face().
std::optional<double> edge_edge(const Vec3& a0_t0, const Vec3& a1_t0, const Vec3& b0_t0, const Vec3& b1_t0,
                                const Vec3& a0_t1, const Vec3& a1_t1, const Vec3& b0_t1, const Vec3& b1_t1);

}  // namespace sinew::ccd
