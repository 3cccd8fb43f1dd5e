// Faces of ten-node tets: triangles with the nodes 0, 1, 2 at corners and 3, 4, 5 on the edges 01, 12, 20.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

inline constexpr int parts_of_quadratic_face = 4;

// The linear triangles into which the division of its tet cuts a face (mesh/quadratic_tets.h), wound like it.
inline constexpr std::array<std::array<int, 3>, parts_of_quadratic_face> quadratic_face_parts{
    {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}};

// The nodes of face q of a list that begins with the parts of such faces.
inline std::array<Index, 6> quadratic_face_nodes(const Triangles& parts, Index q) {
  const Index f = parts_of_quadratic_face * q;
  return {parts(0, f), parts(1, f + 1), parts(2, f + 2), parts(0, f + 3), parts(1, f + 3), parts(2, f + 3)};
}

using FaceNodes = std::array<Vec3, 6>;  // [m]

// The integrals of the shape functions over the face [m^2]: of a uniform traction each node takes this share.
std::array<double, 6> node_areas(const FaceNodes& x);

// The volume that a face encloses with the origin is sum_abc volume det(x_a, x_b, x_c), a < b < c.
struct FaceTriple {
  int a = 0, b = 0, c = 0;
  double volume = 0;
};
const std::vector<FaceTriple>& face_triples();

// The integrals of the shape functions times the area vector: [m^2].
std::array<Vec3, 6> node_area_vectors(const FaceNodes& x);

}  // namespace sinew
