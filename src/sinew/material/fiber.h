// The fiber term k/2 (|F d| - 1)^2 + T (|F d| - 1), which can be added to any model (k [Pa], d a unit rest direction;
// theory, section 1). T [Pa] is the active tension of a muscle, its force per area at rest.
//
// Its Hessian by F is M (x) d d^T with the 3x3 matrix
//
//   M = k n n^T + s (I - n n^T),   n = F d / |F d|,   s = k (1 - 1/|F d|) + T/|F d|.
//
// In the projected Hessian, s is clamped at zero.
#pragma once

#include "sinew/core/types.h"
#include "sinew/material/lanes.h"

namespace sinew {

template <class L>
struct Fiber {
  L stiffness;         // k
  L direction[3];      // d
  L tension = L(0.0);  // T
};

template <class L>
struct FiberState {
  L force[3];  // k c F d: the stress is force d^T
  L m[6];      // M: 00, 11, 22, 12, 02, 01
};

template <class L>
[[gnu::always_inline]] inline void fiber_image(const L* f, const L* d, L* fd) {
  for (int i = 0; i < 3; ++i) fd[i] = f[3 * i] * d[0] + (f[3 * i + 1] * d[1] + f[3 * i + 2] * d[2]);
}

// |F d| - 1 without cancellation near rest: (|F d|^2 - 1) / (|F d| + 1).
template <class L>
[[gnu::always_inline]] inline void fiber_strain(const L* fd, L& length, L& strain) {
  const L square = fd[0] * fd[0] + (fd[1] * fd[1] + fd[2] * fd[2]);
  const L minus1 = fd[0] * fd[0] + (fd[1] * fd[1] + (fd[2] * fd[2] - L(1.0)));
  const auto vanishing = !(square > L(0x1p-500));
  length = select(vanishing, L(0.0), square * rsqrt(square));
  strain = minus1 / (length + L(1.0));
}

template <class L>
[[gnu::always_inline]] inline L fiber_energy(const L* f, const Fiber<L>& fiber) {
  L fd[3], length, strain;
  fiber_image(f, fiber.direction, fd);
  fiber_strain(fd, length, strain);
  return L(0.5) * fiber.stiffness * (strain * strain) + fiber.tension * strain;
}

// At |F d| = 0 the energy has a kink. There the force is set to zero, and 1/|F d| to 2^50 at most, so that M stays
// finite.
template <class L>
[[gnu::always_inline]] inline void fiber_state(const L* f, const Fiber<L>& fiber, bool hessian, bool psd,
                                               FiberState<L>& out) {
  L fd[3], length, strain;
  fiber_image(f, fiber.direction, fd);
  fiber_strain(fd, length, strain);
  const L inverse = L(1.0) / maximum(length, L(0x1p-50));
  const L c = strain * inverse;
  L side = fiber.stiffness * c + fiber.tension * inverse;
  for (int i = 0; i < 3; ++i) out.force[i] = side * fd[i];
  if (!hessian) return;
  if (psd) side = maximum(side, L(0.0));
  const L n[3] = {fd[0] * inverse, fd[1] * inverse, fd[2] * inverse};
  const L along = fiber.stiffness - side;
  for (int i = 0; i < 3; ++i) out.m[i] = side + along * (n[i] * n[i]);
  out.m[3] = along * (n[1] * n[2]);
  out.m[4] = along * (n[0] * n[2]);
  out.m[5] = along * (n[0] * n[1]);
}

}  // namespace sinew
