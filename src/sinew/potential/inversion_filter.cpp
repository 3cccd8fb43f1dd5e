#include "sinew/potential/inversion_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "sinew/core/parallel.h"
#include "sinew/material/model.h"
#include "sinew/potential/quadratic_inversion.h"

namespace sinew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double evaluate(const std::array<double, 4>& c, double t) {
  return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

// Root of c in [low, high] with c(low) > 0 >= c(high), c monotone. Returns the lower end of the last bracket, at
// which c is still positive.
double bisect(const std::array<double, 4>& c, double low, double high) {
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high || high - low < 1e-3 * low) break;
    (evaluate(c, middle) > 0 ? low : high) = middle;
  }
  return low;
}

double determinant(const Mat3& M) {
  return M.col(0).dot(M.col(1).cross(M.col(2)));
}

// The first t at which det F vanishes somewhere in a ten-node tet of a group along x + t d.
double first_quadratic_inversion(const System& system, const ElasticGroup& group, const Points& x, const Points& d) {
  const Index begin = (group.tet_begin - system.quadratic_begin()) / parts_of_quadratic;
  return parallel_min((group.tet_end - group.tet_begin) / parts_of_quadratic, infinity, [&](std::size_t k) {
    const Index* nodes = system.quadratic_tets.col(begin + static_cast<Index>(k)).data();
    return first_inversion(corner_jacobians(x, nodes), corner_jacobians(d, nodes));
  });
}

}  // namespace

// Smallest root in [0, 1] of c0 + c1 t + c2 t^2 + c3 t^3, c0 > 0:
//
// 1. Bernstein coefficients on [0, 1], all positive for most tets: no root.
// 2. The roots of the derivative cut [0, 1] into monotone pieces.
// 3. The first piece with a change of sign is bisected to 1e-3, enough for a step of 0.9 of the root.
double first_cubic_root(double c0, double c1, double c2, double c3) {
  // Step 1.
  const double b1 = c0 + c1 / 3, b2 = c0 + (2 * c1 + c2) / 3, b3 = c0 + c1 + c2 + c3;
  if (c0 > 0 && b1 > 0 && b2 > 0 && b3 > 0) return infinity;
  const std::array<double, 4> c{c0, c1, c2, c3};
  // Step 2.
  std::array<double, 4> knots{0, 1, 1, 1};
  int count = 1;
  const double a = 3 * c3, b = 2 * c2, disc = b * b - 4 * a * c1;
  if (disc > 0) {
    const double q = -0.5 * (b + std::copysign(std::sqrt(disc), b));
    std::array<double, 2> extrema{a != 0 ? q / a : infinity, q != 0 ? c1 / q : infinity};
    std::sort(extrema.begin(), extrema.end());
    for (double t : extrema)
      if (t > 0 && t < 1) knots[count++] = t;
  }
  knots[count] = 1;
  // Step 3.
  for (int k = 0; k < count; ++k)
    if (evaluate(c, knots[k + 1]) <= 0) return bisect(c, knots[k], knots[k + 1]);
  return infinity;
}

// J > 0 along x + t d: with the edges A of x and B of d
//
//   det(A + t B) = det A + t (...) + t^2 (...) + t^3 det B > 0,
//
// a cubic for each tet of a material that needs J > 0. The step is 0.9 of the first root of all. In ten-node tets J > 0
// everywhere (potential/quadratic_inversion.h).
double inversion_step(const System& system, const Points& x, const Points& d) {
  double step = 1;
  for (const ElasticGroup& group : system.groups) {
    if (!group.model->requires_positive_volume()) continue;
    if (is_quadratic(group.elements)) {
      const double first = first_quadratic_inversion(system, group, x, d);
      if (first < infinity) step = std::min(step, 0.9 * first);
      continue;
    }
    const double first = parallel_min(group.tet_end - group.tet_begin, infinity, [&](std::size_t k) {
      const auto tet = system.tets.col(group.tet_begin + static_cast<Index>(k));
      Mat3 A, B;
      for (int j = 0; j < 3; ++j) {
        A.col(j) = x.col(tet[j + 1]) - x.col(tet[0]);
        B.col(j) = d.col(tet[j + 1]) - d.col(tet[0]);
      }
      // det(A + t B), mixed determinants column by column.
      const Vec3 a12 = A.col(1).cross(A.col(2)), b12 = B.col(1).cross(B.col(2));
      const Vec3 mixed = A.col(1).cross(B.col(2)) + B.col(1).cross(A.col(2));
      return first_cubic_root(A.col(0).dot(a12), B.col(0).dot(a12) + A.col(0).dot(mixed),
                              B.col(0).dot(mixed) + A.col(0).dot(b12), determinant(B));
    });
    if (first < infinity) step = std::min(step, 0.9 * first);
  }
  return step;
}

}  // namespace sinew
