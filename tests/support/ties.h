// Tied bodies for tests.
#pragma once

#include <utility>

#include "support/bodies.h"

#include "sinew/mesh/surface.h"

namespace sinew::test {

inline const Vec3 block_size(0.2, 0.16, 0.1);

// The faces of the surface whose middle is inside.
template <class Predicate>
Triangles faces_where(const TetMesh& mesh, Predicate inside) {
  const Triangles all = boundary_triangles(mesh.tets);
  Triangles some(3, all.cols());
  Index count = 0;
  for (Index f = 0; f < all.cols(); ++f) {
    Vec3 middle = Vec3::Zero();
    for (int k = 0; k < 3; ++k) middle += mesh.vertices.col(all(k, f)) / 3;
    if (inside(middle)) some.col(count++) = all.col(f);
  }
  return some.leftCols(count);
}

// Two blocks one above the other, about the plane z = 0, with meshes that do not match; the lower one, which is finer
// there, follows the upper one, or the other way round. gap: between them [m].
inline sinew::Setup tied_blocks(double gap, bool swapped = false, const char* model = "neo_hookean") {
  sinew::Setup setup;
  setup.gravity.setZero();
  const double half = block_size.z() / 2;
  setup.bodies.push_back(
      body("lower", make_box(block_size, {3, 3, 2}), material(model, 1e5, 0.3), Vec3(0, 0, -half - gap)));
  setup.bodies.push_back(body("upper", make_box(block_size, {2, 2, 1}), material(model, 1e5, 0.3), Vec3(0, 0, half)));
  TieSetup tie;
  tie.body = 0;
  tie.to = 1;
  tie.faces = faces_where(setup.bodies[0].mesh, [&](const Vec3& x) { return x[2] > -gap - 1e-9; });
  tie.to_faces = faces_where(setup.bodies[1].mesh, [](const Vec3& x) { return x[2] < 1e-9; });
  if (swapped) {
    std::swap(tie.body, tie.to);
    std::swap(tie.faces, tie.to_faces);
  }
  setup.ties.push_back(std::move(tie));
  return setup;
}

}  // namespace sinew::test
