// The second derivative of the first Piola stress at rest, which gives the change of stiffness under a small
// deformation (theory, section 9).
//
// An isotropic model without stress at rest has five constants there: two of second order, lambda and mu, and three of
// third order (Toupin and Bernstein 1961). With the Green strain E,
//
//   W = lambda/2 (tr E)^2 + mu tr E^2 + nu1/6 (tr E)^3 + nu2 tr E tr E^2 + 4/3 nu3 tr E^3 + O(E^4).
#pragma once

#include "sinew/material/model.h"

namespace sinew {

struct ThirdOrderConstants {
  double lambda = 0, mu = 0, nu1 = 0, nu2 = 0, nu3 = 0;  // [Pa]
};

// Computes the constants of a model with these kernel parameters, accurate to about 1e-11 of its stiffness. If third
// derivatives jump at rest (curves with a knot there), takes the mean of both sides.
ThirdOrderConstants third_order_constants(const MaterialModel& model, std::span<const double> kernel);

// P_ab = d2 P(I + s A + t B) / ds dt at s = t = 0, all row-major 3 x 3. With a = sym A, b = sym B:
//
//   P_ab = A (C:b) + B (C:a) + C:sym(A^T B) + D[a, b],
//   C:e = lambda tr(e) I + 2 mu e,
//   D[a, b] = nu1 tr(a) tr(b) I + 2 nu2 ((a:b) I + tr(a) b + tr(b) a) + 4 nu3 (a b + b a).
template <class L>
inline void second_stress(const ThirdOrderConstants& c, const L* A, const L* B, L* P) {
  L a[9], b[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      a[3 * i + j] = 0.5 * (A[3 * i + j] + A[3 * j + i]);
      b[3 * i + j] = 0.5 * (B[3 * i + j] + B[3 * j + i]);
    }
  const L tr_a = a[0] + a[4] + a[8], tr_b = b[0] + b[4] + b[8];
  L inner(0.0), mixed(0.0);  // a:b and A:B
  for (int k = 0; k < 9; ++k) {
    inner = inner + a[k] * b[k];
    mixed = mixed + A[k] * B[k];
  }
  const L spherical = c.lambda * mixed + c.nu1 * (tr_a * tr_b) + 2 * c.nu2 * inner;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      L turned(0.0), cross(0.0), square(0.0);  // A b + B a, A^T B + B^T A, a b + b a
      for (int k = 0; k < 3; ++k) {
        turned = turned + (A[3 * i + k] * b[3 * k + j] + B[3 * i + k] * a[3 * k + j]);
        cross = cross + (A[3 * k + i] * B[3 * k + j] + B[3 * k + i] * A[3 * k + j]);
        square = square + (a[3 * i + k] * b[3 * k + j] + b[3 * i + k] * a[3 * k + j]);
      }
      const int at = 3 * i + j;
      P[at] = c.lambda * (tr_b * A[at] + tr_a * B[at]) + c.mu * (2 * turned + cross) +
              2 * c.nu2 * (tr_a * b[at] + tr_b * a[at]) + 4 * c.nu3 * square;
      if (i == j) P[at] = P[at] + spherical;
    }
}

// Adds the same derivative of a fiber term (fiber.h): with p = A d, q = B d,
//   P_ab = k (p (d.q) + q (d.p) + d (p.q) - 3 d (d.p)(d.q)) d^T.
template <class L>
inline void add_second_fiber_stress(double stiffness, const double* d, const L* A, const L* B, L* P) {
  L p[3], q[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = A[3 * i] * d[0] + A[3 * i + 1] * d[1] + A[3 * i + 2] * d[2];
    q[i] = B[3 * i] * d[0] + B[3 * i + 1] * d[1] + B[3 * i + 2] * d[2];
  }
  const L dp = d[0] * p[0] + d[1] * p[1] + d[2] * p[2], dq = d[0] * q[0] + d[1] * q[1] + d[2] * q[2];
  const L along = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] - 3 * (dp * dq);
  for (int i = 0; i < 3; ++i) {
    const L f = stiffness * (p[i] * dq + q[i] * dp + along * d[i]);
    for (int j = 0; j < 3; ++j) P[3 * i + j] = P[3 * i + j] + f * d[j];
  }
}

}  // namespace sinew
