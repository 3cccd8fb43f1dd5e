#include "sinew/contact/intersection_predicates.h"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double kHalfUlp = std::numeric_limits<double>::epsilon() / 2;
// Relative error bounds of the floating-point determinants (Shewchuk 1997, bounds A of ORIENT3D and ORIENT2D).
constexpr double kOrientation3Bound = (7 + 56 * kHalfUlp) * kHalfUlp;
constexpr double kOrientation2Bound = (3 + 16 * kHalfUlp) * kHalfUlp;

struct Two {
  double high, low;  // high + low is the exact result
};

// a + b as rounded sum and rounding error (Knuth; Shewchuk 1997, theorem 7).
Two two_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a, a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

// a b as rounded product and rounding error. It is not inlined: a compiler that contracts the product into a later sum
// would not round it.
[[gnu::noinline]] Two two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// A sum of non-overlapping doubles in ascending magnitude.
template <int Capacity>
struct Expansion {
  std::array<double, Capacity> part;
  int size = 0;

  // Adds a double exactly (grow-expansion, Shewchuk 1997, theorem 10), leaving out zero parts.
  void add(double value) {
    int kept = 0;
    for (int i = 0; i < size; ++i) {
      const Two sum = two_sum(value, part[i]);
      if (sum.low != 0) part[kept++] = sum.low;
      value = sum.high;
    }
    if (value != 0) {
      assert(kept < Capacity);
      part[kept++] = value;
    }
    size = kept;
  }
  template <int A, int B>
  // Adds sign a b exactly: each product of two doubles is a sum of two (Shewchuk 1997).
  void add_product(const Expansion<A>& a, const Expansion<B>& b, double sign) {
    for (int i = 0; i < a.size; ++i) {
      for (int j = 0; j < b.size; ++j) {
        const Two product = two_product(a.part[i], sign * b.part[j]);
        add(product.low);
        add(product.high);
      }
    }
  }
  int sign() const { return size == 0 ? 0 : part[size - 1] > 0 ? 1 : -1; }
};

// a - b, exactly.
Expansion<2> difference(double a, double b) {
  const Two exact = two_sum(a, -b);
  Expansion<2> result;
  result.add(exact.low);
  result.add(exact.high);
  return result;
}

// u0 v1 - u1 v0.
Expansion<16> minor(const Expansion<2>& u0, const Expansion<2>& u1, const Expansion<2>& v0, const Expansion<2>& v1) {
  Expansion<16> result;
  result.add_product(u0, v1, 1);
  result.add_product(u1, v0, -1);
  return result;
}

// Sign of det[a - d, b - d, c - d] by expansion along the first row, every operation exact.
int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::array<Expansion<2>, 3>, 3> m;  // rows a - d, b - d, c - d
  for (int k = 0; k < 3; ++k) {
    m[0][k] = difference(a[k], d[k]);
    m[1][k] = difference(b[k], d[k]);
    m[2][k] = difference(c[k], d[k]);
  }
  Expansion<192> det;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    det.add_product(minor(m[1][i], m[1][j], m[2][i], m[2][j]), m[0][k], 1);
  }
  return det.sign();
}

// Closed segments p q and a b in the projection along `axis`.
bool projections_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, int axis) {
  const int pa = projected_orientation(p, q, a, axis), pb = projected_orientation(p, q, b, axis);
  const int ap = projected_orientation(a, b, p, axis), aq = projected_orientation(a, b, q, axis);
  if (pa * pb > 0 || ap * aq > 0) return false;
  // The orientations cannot tell collinear segments that are apart; their bounding boxes can.
  for (int k = 0; k < 3; ++k) {
    if (k == axis) continue;
    if (std::max(p[k], q[k]) < std::min(a[k], b[k]) || std::max(a[k], b[k]) < std::min(p[k], q[k])) return false;
  }
  return true;
}

// Four coplanar points: the segments meet exactly if they do in all three projections, one of which at least maps the
// common plane (or line) one to one.
bool coplanar_segments_meet(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  return projections_meet(p, q, a, b, 0) && projections_meet(p, q, a, b, 1) && projections_meet(p, q, a, b, 2);
}

// Whether a segment meets one of the triangle's three sides.
bool segment_meets_outline(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto meets = [&](const Vec3& s, const Vec3& t) {
    return orientation(p, q, s, t) == 0 && coplanar_segments_meet(p, q, s, t);
  };
  return meets(a, b) || meets(b, c) || meets(c, a);
}

// Whether p, a point in the plane of the triangle, lies in it: decided in a projection in which the triangle has an
// area.
bool coplanar_point_inside(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int axis = 0; axis < 3; ++axis) {
    const int area = projected_orientation(a, b, c, axis);
    if (area == 0) continue;
    return projected_orientation(a, b, p, axis) * area >= 0 && projected_orientation(b, c, p, axis) * area >= 0 &&
           projected_orientation(c, a, p, axis) * area >= 0;
  }
  return false;  // no area: the outline decides
}

}  // namespace

// The determinant in floating point; where it is within its error bound of zero, exactly.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = a - d, v = b - d, w = c - d;
  double det = 0, permanent = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double left = v[i] * w[j], right = v[j] * w[i];
    det += u[k] * (left - right);
    permanent += std::abs(u[k]) * (std::abs(left) + std::abs(right));
  }
  const double bound = 2 * kOrientation3Bound * permanent;  // doubled: the sums may be contracted either way
  if (det > bound) return 1;
  if (det < -bound) return -1;
  return exact_orientation(a, b, c, d);
}

int projected_orientation(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const double left = (a[i] - c[i]) * (b[j] - c[j]), right = (a[j] - c[j]) * (b[i] - c[i]);
  const double det = left - right, bound = 2 * kOrientation2Bound * (std::abs(left) + std::abs(right));
  if (det > bound) return 1;
  if (det < -bound) return -1;
  return minor(difference(a[i], c[i]), difference(a[j], c[j]), difference(b[i], c[i]), difference(b[j], c[j])).sign();
}

// The segment must have its ends on different sides of the plane, and its line must pass all three sides of the
// triangle the same way round. A segment in the plane is tested against the outline and for a point inside.
bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const int side_p = orientation(a, b, c, p), side_q = orientation(a, b, c, q);
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) {
    return segment_meets_outline(p, q, a, b, c) || coplanar_point_inside(p, a, b, c);
  }
  // The line crosses the plane in one point: inside if it passes all sides the same way round.
  const int ab = orientation(p, q, a, b), bc = orientation(p, q, b, c), ca = orientation(p, q, c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

}  // namespace sinew
