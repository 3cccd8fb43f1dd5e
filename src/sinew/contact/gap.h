// The gap of a contact stencil: the distance of two meshes less that at which their surfaces touch, and the barrier
// that acts on it.
//
// Coatings and sheets have a thickness: their surfaces touch while their meshes are still the offset xi apart. Over the
// gap g = d - xi the barrier is b(g^2), so that equal gaps have equal pressures for all xi. Codimensional IPC (Li,
// Kaufman and Jiang 2021) takes b(d^2 - xi^2) instead, whose pressure at a gap depends on xi.
#pragma once

#include <cmath>
#include <span>

#include "sinew/contact/barrier.h"
#include "sinew/contact/stencil.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// The squared gap (d - xi)^2 [m^2] at the squared distance d^2 [m^2] and the offset xi [m]; 0 if the surfaces touch.
inline double squared_gap(double distance2, double offset) {
  if (!(offset > 0)) return distance2;
  const double gap = std::sqrt(distance2) - offset;
  return gap > 0 ? gap * gap : 0;
}

// The barrier b((d - xi)^2) and its derivatives by d^2. With g = d - xi and s = g / d they are
//
//   b' s  and  b'' s^2 + b' xi / (2 d^3),  b', b'' taken at g^2.
//
// gap2 is squared_gap(distance2, offset) > 0.
inline BarrierDerivatives gap_barrier_derivatives(double distance2, double gap2, double offset, double dhat2) {
  const BarrierDerivatives b = barrier_derivatives(gap2, dhat2);
  if (!(offset > 0)) return b;
  const double d = std::sqrt(distance2), s = std::sqrt(gap2) / d;
  return {b.value, b.first * s, b.second * s * s + b.first * offset / (2 * distance2 * d)};
}

// The gap of a stencil [m]: its distance less its offset. Negative if the surfaces overlap.
double stencil_gap(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes);

}  // namespace sinew
