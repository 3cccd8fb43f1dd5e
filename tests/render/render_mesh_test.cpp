#include "sinew/render/render_mesh.h"

#include <set>

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"

namespace sinew::test {
namespace {

TEST(RenderMesh, ASphereIsSmooth) {
  const TetMesh mesh = make_sphere(1, 0.2);
  const Triangles triangles = boundary_triangles(mesh.tets);
  const RenderMesh drawn(mesh.vertices, triangles);
  EXPECT_EQ(drawn.vertices().size(), used_vertices(triangles).size());
  const Points normals = drawn.normals(mesh.vertices);
  for (std::size_t v = 0; v < drawn.vertices().size(); ++v)
    EXPECT_GT(normals.col(static_cast<Index>(v)).dot(mesh.vertices.col(drawn.vertices()[v]).normalized()), 0.99);
}

TEST(RenderMesh, ABoxHasCreases) {
  const TetMesh mesh = make_box({1, 2, 3}, {3, 3, 3});
  const Triangles triangles = boundary_triangles(mesh.tets);
  const RenderMesh drawn(mesh.vertices, triangles);
  EXPECT_EQ(drawn.vertices().size(), 6u * 16u);  // each face has its own
  const Points normals = drawn.normals(mesh.vertices);
  EXPECT_NEAR(normals.cwiseAbs().colwise().maxCoeff().minCoeff(), 1, 1e-14);
  for (Index f = 0; f < drawn.triangle_count(); ++f)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(drawn.vertices()[drawn.corners()(k, f)], triangles(k, f));
}

}  // namespace
}  // namespace sinew::test
