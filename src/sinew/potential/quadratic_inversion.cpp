#include "sinew/potential/quadratic_inversion.h"

#include <algorithm>
#include <limits>

#include "sinew/core/tet_topology.h"
#include "sinew/potential/inversion_filter.h"

namespace sinew {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
// Halvings of a tet's edges. Coefficients approach the determinant with the square of the size of the parts.
constexpr int most_divisions = 3;

// The 20 Bernstein coefficients of degree 3 belong to the multisets {i, j, k} of corners.
constexpr std::array<std::array<int, 3>, 20> multisets() {
  std::array<std::array<int, 3>, 20> all{};
  int count = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j)
      for (int k = j; k < 4; ++k) all[count++] = {i, j, k};
  return all;
}

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
  return a.cross(b).dot(c);
}

// The mixed discriminant, symmetric and linear in each matrix, with D(M, M, M) = det M.
double discriminant(const Mat3& P, const Mat3& Q, const Mat3& R) {
  double sum = 0;
  const Mat3* const m[3] = {&P, &Q, &R};
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& o : orders) sum += determinant(m[o[0]]->col(0), m[o[1]]->col(1), m[o[2]]->col(2));
  return sum / 6;
}

// First root of the coefficient {i, j, k} of det(A + t B), a cubic in t.
double first_root(const std::array<Mat3, 4>& A, const std::array<Mat3, 4>& B, const std::array<int, 3>& of) {
  const auto [i, j, k] = of;
  const double c0 = discriminant(A[i], A[j], A[k]);
  if (!(c0 > 0)) return 0;
  const double c1 = discriminant(B[i], A[j], A[k]) + discriminant(A[i], B[j], A[k]) + discriminant(A[i], A[j], B[k]);
  const double c2 = discriminant(A[i], B[j], B[k]) + discriminant(B[i], A[j], B[k]) + discriminant(B[i], B[j], A[k]);
  return first_cubic_root(c0, c1, c2, discriminant(B[i], B[j], B[k]));
}

// The matrices at the corners of eight parts: those at corners and midpoints of edges, which are means.
std::array<std::array<Mat3, 4>, 8> parts_of(const std::array<Mat3, 4>& M) {
  constexpr int parts[8][4] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3},
                               {4, 9, 5, 6}, {4, 9, 6, 7}, {4, 9, 7, 8}, {4, 9, 8, 5}};
  std::array<Mat3, 10> at;
  for (int i = 0; i < 4; ++i) at[i] = M[i];
  for (int e = 0; e < 6; ++e) at[4 + e] = 0.5 * (M[quadratic_tet_edges[e][0]] + M[quadratic_tet_edges[e][1]]);
  std::array<std::array<Mat3, 4>, 8> result;
  for (int p = 0; p < 8; ++p)
    for (int i = 0; i < 4; ++i) result[p][i] = at[parts[p][i]];
  return result;
}

// Smallest of the first roots of all coefficients; below 1, those of eight parts are sharper. In the smallest parts the
// values at the corners decide.
double bound(const std::array<Mat3, 4>& A, const std::array<Mat3, 4>& B, int divisions) {
  static constexpr auto all = multisets();
  double first = never, at_corners = never;
  for (const auto& of : all) {
    const double root = first_root(A, B, of);
    first = std::min(first, root);
    if (of[0] == of[2]) at_corners = std::min(at_corners, root);
  }
  if (first > 1) return never;
  if (divisions == most_divisions) return at_corners;
  const auto of_a = parts_of(A), of_b = parts_of(B);
  double least = never;
  for (int p = 0; p < 8; ++p) least = std::min(least, bound(of_a[p], of_b[p], divisions + 1));
  return least;
}

}  // namespace

// d/dxi_j of sum_a N_a x_a at corner i: y_(j+1) - y_0 with y_i = 3 x_i and y_k = 4 x_ik - x_k for other corners k.
std::array<Mat3, 4> corner_jacobians(const Points& x, const Index* nodes) {
  Index between[4][4];  // the node on an edge
  for (int e = 0; e < 6; ++e) {
    const auto [a, b] = quadratic_tet_edges[e];
    between[a][b] = between[b][a] = nodes[4 + e];
  }
  std::array<Mat3, 4> result;
  for (int i = 0; i < 4; ++i) {
    const auto y = [&](int k) -> Vec3 {
      return k == i ? Vec3(3 * x.col(nodes[i])) : Vec3(4 * x.col(between[i][k]) - x.col(nodes[k]));
    };
    for (int j = 0; j < 3; ++j) result[i].col(j) = y(j + 1) - y(0);
  }
  return result;
}

double least_coefficient(const std::array<Mat3, 4>& jacobians) {
  double least = never;
  for (const auto& [i, j, k] : multisets())
    least = std::min(least, discriminant(jacobians[i], jacobians[j], jacobians[k]));
  return least;
}

double first_inversion(const std::array<Mat3, 4>& A, const std::array<Mat3, 4>& B) {
  return bound(A, B, 0);
}

}  // namespace sinew
