// Strain limits of springs on edges: a barrier energy, and the step filter that keeps every edge below its longest
// length. Source: Li, Kaufman and Jiang 2021, "Codimensional Incremental Potential Contact" (theory, section 1).
//
// With e = |u| - l, the extension of an edge of rest length l and stiffness k, and w = L - l, the largest extension:
//
//   B   = -k e^2 ln(1 - e/w)                         for 0 < e < w; 0 for e <= 0; infinite for e >= w
//   B'  = k (e^2 / (w - e) - 2 e ln(1 - e/w))        force along the edge
//   B'' = k (e^2 / (w - e)^2 + 4 e / (w - e) - 2 ln(1 - e/w))
//
// In terms of the stretch s = |u|/l and its limit S = L/l, B is C-IPC's C2 barrier:
//
//   -kappa V ((s - s')/(S - s'))^2 ln((S - s)/(S - s')),   s' = 1,   kappa = E (S - 1)^2
//
// Here k l^2 = E V for a spring of the volume V. The activation s' is the one of C-IPC's published code, which has
// kappa = 1e3 Pa for all cloths. B = 0 at rest and under compression. B', B'' >= 0.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/system.h"

namespace sinew {

// B [J], B' [N] and B'' [N/m] of a spring at a length |u|. Zero for springs without a limit.
double stretch_barrier(const EdgeSpring& spring, double length);
double stretch_barrier_force(const EdgeSpring& spring, double length);
double stretch_barrier_stiffness(const EdgeSpring& spring, double length);

// The first t in (0, 1] with |u + t d| = longest, for |u| < longest; infinity if there is none.
double first_overstretch(const Vec3& u, const Vec3& d, double longest);

// The largest alpha in (0, 1] such that all edges with a limit stay below it along x + alpha d (3 x n_all). Returns 1,
// or 0.9 of the first root.
double stretch_step(const System& system, const Points& x, const Points& d);

// Whether a spring is at or beyond its limit at x, and all springs that are, ascending.
bool is_overstretched(const EdgeSpring& spring, const Points& x);
std::vector<Index> overstretched(const System& system, const Points& x);

// The spring nearest to its limit, as a share of the largest extension, at x; -1: none has a limit.
Index tautest_spring(const System& system, const Points& x);

// "the edge between vertices 3 and 7 of body 'net' is at 1.08 of its rest length, with the limit 1.1", vertices
// numbered as in their body's mesh.
std::string stretch_text(const System& system, const EdgeSpring& spring, const Points& x);

}  // namespace sinew
