// Batched singular value decomposition of 3x3 matrices with rotations: F = U S V^T with det U = det V = 1. Singular
// values descend in magnitude; the last has the sign of det F.
//
// Method:
//
// 1. One eigenvector of F^T F is computed in closed form: that whose eigenvalue is farthest from the other two, which
// is always well-conditioned.
// 2. One Jacobi rotation of the columns of F in the plane normal to that eigenvector gives V (compare Eberly, "A robust
// eigensolver for 3x3 symmetric matrices").
// 3. One-sided Jacobi rotations of B = F V restore the accuracy that squaring lost. None are needed if the stretches
// are within a factor of a few.
// 4. A Gram-Schmidt of B, largest column first, gives U.
//
// Each rotation also sorts its two columns. Backward error and orthogonality are a few units of rounding for every
// matrix, also with repeated, vanishing or negative stretches.
#pragma once

#include <cstddef>

#include "sinew/material/lanes.h"

namespace sinew {

template <class L>
struct Svd3 {
  L u[9], s[3], v[9];  // row-major
};

// c = a b, 3x3 row-major.
template <class L>
[[gnu::always_inline]] inline void multiply3(const L* a, const L* b, L* c) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[3 * i + j] = a[3 * i] * b[j] + (a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]);
}

namespace svd3_detail {

inline constexpr double rounding = 0x1p-52;

// 1/sqrt(x), accurate to at least `bits` bits.
template <int bits, class L>
[[gnu::always_inline]] inline L rsqrt_to(const L& x) {
  if constexpr (bits <= 14) return rsqrt_estimate(x);
  if constexpr (bits > 14 && bits <= 26) return rsqrt_coarse(x);
  if constexpr (bits > 26) return rsqrt(x);
}

// Rotation (c, s) of columns p, q, with p' = c p + s q and q' = c q - s p, that makes them orthogonal with |p'| >=
// |q'|. The arguments are d = |p|^2 - |q|^2 and h = 2 p.q. In the lanes of `skip` it is exactly the identity. The angle
// is accurate to about `bits` bits: within an iteration, errors only slow down convergence.
template <int bits, class L, class M>
[[gnu::always_inline]] inline void sorting_rotation(const L& d, const L& h, const M& skip, L& c, L& s) {
  const L r2 = d * d + h * h;
  const L r = r2 * rsqrt_to<bits>(r2);
  const L a = r + absolute(d);
  const L scale = rsqrt(a * a + h * h);
  const L large = a * scale;
  const L small = absolute(h) * scale;
  const auto ordered = d >= L(0.0);
  c = select(skip, L(1.0), select(ordered, large, small));
  s = select(skip, L(0.0), with_sign(select(ordered, small, large), h));
}

template <int p, int q, class L>
[[gnu::always_inline]] inline void rotate_columns(L* m, const L& c, const L& s) {
  for (int i = 0; i < 3; ++i) {
    const L x = m[3 * i + p], y = m[3 * i + q];
    m[3 * i + p] = c * x + s * y;
    m[3 * i + q] = c * y - s * x;
  }
}

template <class L>
[[gnu::always_inline]] inline L column_dot(const L* m, int p, int q) {
  return m[p] * m[q] + (m[3 + p] * m[3 + q] + m[6 + p] * m[6 + q]);
}

inline constexpr double skew_square = 16 * rounding * rounding;  // largest (p.q)^2 relative to |p|^2 |q|^2
inline constexpr double order_slack = -4 * rounding;             // smallest |p|^2 - |q|^2 relative to |q|^2

template <int p, int q, class L, class M>
[[gnu::always_inline]] inline void orthogonalize_pair(L* b, L* v, const M& active) {
  const L gp = column_dot(b, p, p), gq = column_dot(b, q, q), gpq = column_dot(b, p, q);
  const L d = gp - gq;
  const auto skip = !active || ((gpq * gpq <= L(skew_square) * gp * gq) && (d >= L(order_slack) * gq));
  L c, s;
  sorting_rotation<26>(d, gpq + gpq, skip, c, s);
  rotate_columns<p, q>(b, c, s);
  rotate_columns<p, q>(v, c, s);
}

// One-sided Jacobi on the columns of b until they are orthogonal relative to their own lengths.
template <class L>
[[gnu::always_inline]] inline void orthogonalize(L* b, L* v) {
  constexpr int max_sweeps = 8;
  const L square(skew_square), slack(order_slack);
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    const L g0 = column_dot(b, 0, 0), g1 = column_dot(b, 1, 1), g2 = column_dot(b, 2, 2);
    const L g01 = column_dot(b, 0, 1), g02 = column_dot(b, 0, 2), g12 = column_dot(b, 1, 2);
    const auto skew =
        (g01 * g01 > square * g0 * g1) || (g02 * g02 > square * g0 * g2) || (g12 * g12 > square * g1 * g2);
    const auto unsorted = (g0 - g1 < slack * g1) || (g1 - g2 < slack * g2);
    const auto active = skew || unsorted;
    if (!any(active)) return;
    orthogonalize_pair<0, 1>(b, v, active);
    orthogonalize_pair<0, 2>(b, v, active);
    orthogonalize_pair<1, 2>(b, v, active);
  }
}

// A unit vector normal to the unit vector (x, y, z).
template <class L>
[[gnu::always_inline]] inline void any_normal(const L& x, const L& y, const L& z, L& nx, L& ny, L& nz) {
  const auto use_x = absolute(x) > absolute(y);
  const L scale = rsqrt(z * z + select(use_x, x * x, y * y));
  nx = select(use_x, -z * scale, L(0.0));
  ny = select(use_x, L(0.0), z * scale);
  nz = select(use_x, x, -y) * scale;
}

// 2 cos(arccos(t) / 3), t in [0, 1]: the largest root of z^3 - 3 z = 2 t. Makes two Newton steps for x = z / 2 and
// refines the inverse of the derivative with them. They start from polynomials accurate to 4e-5 and 4e-3.
template <class L>
[[gnu::always_inline]] inline L largest_root(const L& t) {
  L x = L(0.8660663) + t * (L(0.1653304) + t * (L(-0.0406912) + t * L(0.0093197)));
  L y = L(0.165954) + t * (L(-0.0827859) + t * L(0.0283303));  // 1 / (12 x^2 - 3)
  for (int step = 0; step < 2; ++step) {
    const L square = L(4.0) * x * x;
    y = y * (L(2.0) - (L(3.0) * square - L(3.0)) * y);
    x = x - (x * (square - L(3.0)) - t) * y;
  }
  return x + x;
}

// Computes the unit eigenvector v of the symmetric g = (g00, g11, g22, g12, g02, g01) whose eigenvalue is farthest from
// the others. Returns the lanes in which this eigenvalue is the largest; in the others it is the smallest.
template <class L>
[[gnu::always_inline]] inline auto isolated_eigenvector(const L* g, L* v) {
  const L mean = L(1.0 / 3) * (g[0] + (g[1] + g[2]));
  L a[6] = {g[0] - mean, g[1] - mean, g[2] - mean, g[3], g[4], g[5]};
  // Scaled to |a|^2 = 6 and zero trace, a has the roots of z^3 - 3 z = det a as eigenvalues.
  const L square = (a[0] * a[0] + (a[1] * a[1] + a[2] * a[2])) + L(2.0) * (a[3] * a[3] + (a[4] * a[4] + a[5] * a[5]));
  const L scale = rsqrt(maximum(L(1.0 / 6) * square, L(0x1p-1000)));
  for (int i = 0; i < 6; ++i) a[i] = a[i] * scale;
  const L c00 = a[1] * a[2] - a[3] * a[3];
  const L determinant = a[0] * c00 + (a[4] * (a[5] * a[3] - a[1] * a[4]) - a[5] * (a[5] * a[2] - a[3] * a[4]));
  const L z = with_sign(largest_root(L(0.5) * absolute(determinant)), determinant);
  // The cofactors of a - z are those of a multiple of v v^T: takes the column with the largest diagonal entry.
  for (int i = 0; i < 3; ++i) a[i] = a[i] - z;
  const L m00 = a[1] * a[2] - a[3] * a[3], m11 = a[0] * a[2] - a[4] * a[4], m22 = a[0] * a[1] - a[5] * a[5];
  const L m12 = a[4] * a[5] - a[0] * a[3], m02 = a[3] * a[5] - a[1] * a[4], m01 = a[3] * a[4] - a[2] * a[5];
  const auto second = m11 > m00, third = m22 > maximum(m00, m11);
  const L x = select(third, m02, select(second, m01, m00));
  const L y = select(third, m12, select(second, m11, m01));
  const L w = select(third, m22, select(second, m12, m02));
  const L length = rsqrt_coarse(x * x + (y * y + w * w));
  v[0] = x * length, v[1] = y * length, v[2] = w * length;
  // Corrects the last digits. A multiple of a unit vector of the axes becomes exactly that vector, so that rest has no
  // stress.
  const L excess = L(0.5) - L(0.5) * (v[0] * v[0] + (v[1] * v[1] + v[2] * v[2]));
  for (int i = 0; i < 3; ++i) v[i] = v[i] + v[i] * excess;
  return determinant >= L(0.0);
}

// Computes v (det 1) such that the columns of b = F v are orthogonal and sorted, except for rounding errors of |F|.
template <class L>
[[gnu::always_inline]] inline void principal_axes(const L* f, const L* g, L* v, L* b) {
  L axis[9];  // columns 0, 1: the plane; 2: the isolated eigenvector
  L e[3];
  const auto largest = isolated_eigenvector(g, e);
  any_normal(e[0], e[1], e[2], axis[0], axis[3], axis[6]);
  axis[1] = e[1] * axis[6] - e[2] * axis[3];
  axis[4] = e[2] * axis[0] - e[0] * axis[6];
  axis[7] = e[0] * axis[3] - e[1] * axis[0];
  axis[2] = e[0], axis[5] = e[1], axis[8] = e[2];
  L image[9];
  multiply3(f, axis, image);
  const L gp = column_dot(image, 0, 0), gq = column_dot(image, 1, 1), gpq = column_dot(image, 0, 1);
  const L d = gp - gq;
  const auto skip = (gpq * gpq <= L(skew_square) * gp * gq) && (d >= L(order_slack) * gq);
  L c, s;
  sorting_rotation<52>(d, gpq + gpq, skip, c, s);
  rotate_columns<0, 1>(axis, c, s);
  rotate_columns<0, 1>(image, c, s);
  for (int i = 0; i < 9; i += 3) {
    v[i] = select(largest, axis[i + 2], axis[i]), b[i] = select(largest, image[i + 2], image[i]);
    v[i + 1] = select(largest, axis[i], axis[i + 1]), b[i + 1] = select(largest, image[i], image[i + 1]);
    v[i + 2] = select(largest, axis[i + 1], axis[i + 2]), b[i + 2] = select(largest, image[i + 1], image[i + 2]);
  }
}

// Computes u with det u = 1 and s = diag(u^T b), by Gram-Schmidt of the columns of b, which must be sorted and
// orthogonal to rounding. Columns that vanish are replaced by any that complete a rotation.
template <class L>
[[gnu::always_inline]] inline void extract(const L* b, L* u, L* s) {
  const L tiny(0x1p-1000);
  const L n0 = column_dot(b, 0, 0);
  const L i0 = rsqrt(n0);
  const auto zero0 = !(n0 > tiny);
  const L x0 = select(zero0, L(1.0), b[0] * i0);
  const L y0 = select(zero0, L(0.0), b[3] * i0);
  const L z0 = select(zero0, L(0.0), b[6] * i0);
  const L along = x0 * b[1] + (y0 * b[4] + z0 * b[7]);
  L x1 = b[1] - along * x0, y1 = b[4] - along * y0, z1 = b[7] - along * z0;
  const L n1 = x1 * x1 + (y1 * y1 + z1 * z1);
  const L i1 = rsqrt(n1);
  x1 = x1 * i1, y1 = y1 * i1, z1 = z1 * i1;
  const auto zero1 = !(n1 > tiny);
  if (any(zero1)) {
    L nx, ny, nz;
    any_normal(x0, y0, z0, nx, ny, nz);
    x1 = select(zero1, nx, x1), y1 = select(zero1, ny, y1), z1 = select(zero1, nz, z1);
  }
  const L x2 = y0 * z1 - z0 * y1, y2 = z0 * x1 - x0 * z1, z2 = x0 * y1 - y0 * x1;
  s[0] = x0 * b[0] + (y0 * b[3] + z0 * b[6]);
  s[1] = x1 * b[1] + (y1 * b[4] + z1 * b[7]);
  s[2] = x2 * b[2] + (y2 * b[5] + z2 * b[8]);
  u[0] = x0, u[3] = y0, u[6] = z0;
  u[1] = x1, u[4] = y1, u[7] = z1;
  u[2] = x2, u[5] = y2, u[8] = z2;
}

}  // namespace svd3_detail

// Decomposes F = U diag(s) V^T. F: row-major, finite, with |F| within 1e-60..1e60 or zero.
template <class L>
[[gnu::always_inline]] inline void svd3(const L* f, Svd3<L>& out) {
  using namespace svd3_detail;
  L g[6] = {column_dot(f, 0, 0), column_dot(f, 1, 1), column_dot(f, 2, 2),
            column_dot(f, 1, 2), column_dot(f, 0, 2), column_dot(f, 0, 1)};
  L v[9], b[9];
  principal_axes(f, g, v, b);
  orthogonalize(b, v);
  extract(b, out.u, out.s);
  for (int i = 0; i < 9; ++i) out.v[i] = v[i];
}

}  // namespace sinew
