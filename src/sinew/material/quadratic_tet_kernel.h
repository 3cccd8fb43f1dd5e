// Ten-node tets at a quadrature point (Zienkiewicz, Taylor 2000, "The finite element method", volume 1, chapter 8).
//
// Nodes 0 to 3 are the corners, node 4 + e lies on edge e of quadratic_tet_edges. With barycentric coordinates l_i the
// shape functions are l_i (2 l_i - 1) at corners and 4 l_i l_j on edges. At a point the deformation gradient is that of
// a linear tet with the corners
//
//   y_i = sum_a c_ia x_a,   c_ii = 4 l_i - 1,   c_i,ij = 4 l_j:
//
// F = [y_1 - y_0, y_2 - y_0, y_3 - y_0] [Y_1 - Y_0, ...]^-1 with Y_i at rest. So the kernels of linear tets serve each
// point, forces on nodes are c^T times those on the corners y, and Hessians are c^T K c.
//
// The rule has four points, l_q = 0.585... and 0.138... elsewhere, each with a quarter of the volume. It integrates
// polynomials of degree 2 exactly.
#pragma once

#include <array>

#include "sinew/material/tet_kernel.h"

namespace sinew {

inline constexpr int quadratic_tet_nodes = 10, quadratic_tet_pairs = 45, quadratic_tet_points = 4;

// (5 + 3 sqrt 5) / 20 and (5 - sqrt 5) / 20
inline constexpr double quadrature_near = 0.58541019662496845446, quadrature_far = 0.13819660112501051518;

constexpr double quadrature_coordinate(int point, int corner) {
  return point == corner ? quadrature_near : quadrature_far;
}

// c_ia: weight of node a in corner i at a point with coordinates l(corner).
template <class Coordinate>
constexpr double corner_weight(const Coordinate& l, int corner, int node) {
  if (node < 4) return node == corner ? 4 * l(corner) - 1 : 0;
  const auto [i, j] = quadratic_tet_edges[node - 4];
  return corner == i ? 4 * l(j) : corner == j ? 4 * l(i) : 0;
}

constexpr std::array<std::array<std::array<double, quadratic_tet_nodes>, 4>, quadratic_tet_points> corner_weights() {
  std::array<std::array<std::array<double, quadratic_tet_nodes>, 4>, quadratic_tet_points> c{};
  for (int q = 0; q < quadratic_tet_points; ++q)
    for (int i = 0; i < 4; ++i)
      for (int a = 0; a < quadratic_tet_nodes; ++a)
        c[q][i][a] = corner_weight([&](int corner) { return quadrature_coordinate(q, corner); }, i, a);
  return c;
}
inline constexpr auto quadratic_tet_weights = corner_weights();

// The number of a pair of nodes a < b.
constexpr int quadratic_tet_pair(int a, int b) {
  return a * (2 * quadratic_tet_nodes - 1 - a) / 2 + b - a - 1;
}

// y_i of point q: corners has y0x y0y y0z y1x ..., nodes x0 y0 z0 x1 ....
template <int q, class L>
[[gnu::always_inline]] inline void corners_at_point(const L* nodes, L* corners) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) {
      L sum = L(quadratic_tet_weights[q][i][i]) * nodes[3 * i + k];
#pragma GCC unroll 6
      for (int e = 0; e < 6; ++e)
        if (quadratic_tet_weights[q][i][4 + e] != 0)
          sum = sum + L(quadratic_tet_weights[q][i][4 + e]) * nodes[3 * (4 + e) + k];
      corners[3 * i + k] = sum;
    }
  }
}

// Forces on nodes += c^T forces on the corners of point q.
template <int q, class L>
[[gnu::always_inline]] inline void add_to_nodes(const L* corners, L* nodes) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
#pragma GCC unroll 10
    for (int a = 0; a < quadratic_tet_nodes; ++a)
      if (quadratic_tet_weights[q][i][a] != 0)
        for (int k = 0; k < 3; ++k)
          nodes[3 * a + k] = nodes[3 * a + k] + L(quadratic_tet_weights[q][i][a]) * corners[3 * i + k];
}

// The Hessian of an element: lower triangles of the diagonal blocks by columns (00 10 20 11 21 22), and the blocks of
// the pairs a < b, column-major.
template <class L>
struct QuadraticTetHessian {
  L diagonal[quadratic_tet_nodes][6];
  L pair[quadratic_tet_pairs][9];

  void clear() {
    for (auto& block : diagonal)
      for (L& value : block) value = L(0.0);
    for (auto& block : pair)
      for (L& value : block) value = L(0.0);
  }
};

// H += c^T K c of point q: block (a, b) gets c_ia c_jb K_ij.
template <int q, class L>
[[gnu::always_inline]] inline void add_to_nodes(const TetHessian<L>& k, QuadraticTetHessian<L>& h) {
  constexpr int lower_of[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};  // in a lower triangle, by column-major entry
  // Entry e (column-major) of K_ij.
  const auto entry = [&](int i, int j, int e) -> const L& {
    if (i == j) return k.diagonal[i][lower_of[e]];
    const int edge = i < j ? tet_edge(i, j) : tet_edge(j, i);
    const int at = i < j ? e : 3 * (e % 3) + e / 3;  // transposed
    return at < 8 ? k.edge[edge][at] : k.last[edge];
  };
  const auto weight = [](int corner, int node) { return quadratic_tet_weights[q][corner][node]; };
#pragma GCC unroll 10
  for (int a = 0; a < quadratic_tet_nodes; ++a) {
#pragma GCC unroll 10
    for (int b = a; b < quadratic_tet_nodes; ++b) {
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        if (weight(i, a) == 0) continue;
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
          if (weight(j, b) == 0) continue;
          const L factor = L(weight(i, a) * weight(j, b));
          if (a == b) {
            constexpr int full_of[6] = {0, 1, 2, 4, 5, 8};
            for (int e = 0; e < 6; ++e) h.diagonal[a][e] = h.diagonal[a][e] + factor * entry(i, j, full_of[e]);
          } else {
            for (int e = 0; e < 9; ++e) {
              L& to = h.pair[quadratic_tet_pair(a, b)][e];
              to = to + factor * entry(i, j, e);
            }
          }
        }
      }
    }
  }
}

}  // namespace sinew
