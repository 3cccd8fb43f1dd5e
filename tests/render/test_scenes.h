// Scenes for tests of pictures.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/surface.h"
#include "sinew/render/offscreen_context.h"
#include "sinew/render/render_scene.h"

namespace sinew::test {

inline RenderObject object_of(const TetMesh& mesh, Index id, const Vec3& shift = Vec3::Zero()) {
  RenderObject object;
  object.positions = mesh.vertices.colwise() + shift;
  object.mesh = std::make_shared<const RenderMesh>(mesh.vertices, boundary_triangles(mesh.tets));
  object.id = id;
  object.color = body_color(static_cast<std::size_t>(id));
  return object;
}

inline RenderPlane ground(double height, Index id) {
  return {{0.3, height, -0.2}, {0, 1, 0}, {1, 0, 0}, id};
}

class PictureTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_offscreen_library()) GTEST_SKIP() << offscreen_library() << " is missing: install libosmesa6";
  }
};

}  // namespace sinew::test
