#include "sinew/mesh/quadratic_jacobian.h"

#include <algorithm>
#include <limits>

#include "sinew/core/tet_topology.h"

namespace sinew {
namespace {

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
  return a.cross(b).dot(c);
}

bool is_positive_in_parts(const CornerJacobians& J, int divisions) {
  if (least_coefficient(J) > 0) return true;
  for (const Mat3& M : J)
    if (!(M.determinant() > 0)) return false;
  if (divisions == most_divisions) return false;
  return std::ranges::all_of(jacobians_of_parts(J),
                             [&](const auto& part) { return is_positive_in_parts(part, divisions + 1); });
}

}  // namespace

// d/dxi_j of sum_a N_a x_a at corner i: y_(j+1) - y_0 with y_i = 3 x_i and y_k = 4 x_ik - x_k for other corners k.
CornerJacobians corner_jacobians(const Points& x, const Index* nodes) {
  Index between[4][4];  // the node on an edge
  for (int e = 0; e < 6; ++e) {
    const auto [a, b] = quadratic_tet_edges[e];
    between[a][b] = between[b][a] = nodes[4 + e];
  }
  CornerJacobians result;
  for (int i = 0; i < 4; ++i) {
    const auto y = [&](int k) -> Vec3 {
      return k == i ? Vec3(3 * x.col(nodes[i])) : Vec3(4 * x.col(between[i][k]) - x.col(nodes[k]));
    };
    for (int j = 0; j < 3; ++j) result[i].col(j) = y(j + 1) - y(0);
  }
  return result;
}

double mixed_discriminant(const Mat3& P, const Mat3& Q, const Mat3& R) {
  double sum = 0;
  const Mat3* const m[3] = {&P, &Q, &R};
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& o : orders) sum += determinant(m[o[0]]->col(0), m[o[1]]->col(1), m[o[2]]->col(2));
  return sum / 6;
}

double least_coefficient(const CornerJacobians& jacobians) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [i, j, k] : bernstein_corners())
    least = std::min(least, mixed_discriminant(jacobians[i], jacobians[j], jacobians[k]));
  return least;
}

double coefficient_bound(const CornerJacobians& J, const CornerJacobians* change) {
  const Mat3 M = 0.25 * (J[0] + J[1] + J[2] + J[3]);
  const double det = M.determinant();
  if (!(det > 0)) return 0;
  const Mat3 inverse = M.inverse();
  double e = 0;
  for (int k = 0; k < 4; ++k) {
    double own = (inverse * (J[k] - M)).norm();
    if (change) own += (inverse * (*change)[k]).norm();
    e = std::max(e, own);
  }
  return det * (1 - e * (3 + e * (3 + e)));
}

bool is_positive(const CornerJacobians& jacobians) {
  return is_positive_in_parts(jacobians, 0);
}

// At corners and at midpoints of edges, where the matrices are means.
std::array<CornerJacobians, 8> jacobians_of_parts(const CornerJacobians& M) {
  constexpr int parts[8][4] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3},
                               {4, 9, 5, 6}, {4, 9, 6, 7}, {4, 9, 7, 8}, {4, 9, 8, 5}};
  std::array<Mat3, 10> at;
  for (int i = 0; i < 4; ++i) at[i] = M[i];
  for (int e = 0; e < 6; ++e) at[4 + e] = 0.5 * (M[quadratic_tet_edges[e][0]] + M[quadratic_tet_edges[e][1]]);
  std::array<CornerJacobians, 8> result;
  for (int p = 0; p < 8; ++p)
    for (int i = 0; i < 4; ++i) result[p][i] = at[parts[p][i]];
  return result;
}

}  // namespace sinew
