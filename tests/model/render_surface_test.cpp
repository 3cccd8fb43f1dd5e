#include "sinew/model/render_surface.h"

#include "support/bodies.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"

namespace sinew::render_surface_test {

BodySetup coated(bool affine, bool hollow = false) {
  BodySetup body = test::body("ball", make_sphere(0.1, 0.05), test::material("neo_hookean", 1e5, 0.3));
  if (hollow) {
    const TriMesh own = compacted(body.mesh.vertices, boundary_triangles(body.mesh.tets));
    body.mesh = TetMesh{};
    body.mesh.vertices = own.vertices;
    body.mesh.triangles = own.triangles;
  }
  body.affine = affine;
  RenderSurface render;
  const TetMesh fine = make_sphere(0.11, 0.02);
  render.mesh = compacted(fine.vertices, boundary_triangles(fine.tets));
  body.render = std::make_shared<RenderSurface>(std::move(render));
  return body;
}

std::shared_ptr<System> beside_another(BodySetup body) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("other", make_box({0.1, 0.1, 0.1}, {1, 1, 1}), test::material("stvk", 1e5, 0.3), Vec3(1, 0, 0)));
  setup.bodies.push_back(std::move(body));
  return build_system(std::move(setup));
}

// Affine motions of the body are those of the surface, exactly, also outside of the tets.
TEST(RenderSurface, FollowsAffineMotions) {
  for (const auto& [affine, hollow] : {std::pair(false, false), std::pair(true, false), std::pair(true, true)}) {
    const BodySetup body = coated(affine, hollow);
    const auto system = beside_another(body);
    const RenderSurface& render = *system->bodies[1].render;
    const Index first = system->bodies[1].user_begin;
    EXPECT_EQ(system->bodies[0].render, nullptr);
    EXPECT_LE((render.positions(system->user_rest, first) - body.render->mesh.vertices).cwiseAbs().maxCoeff(), 1e-15);
    Mat3 A;
    A << 1.2, 0.1, -0.3, 0.2, 0.9, 0.4, -0.1, 0.3, 1.1;
    const Vec3 t(0.5, -0.2, 0.1);
    const Points moved = (A * system->user_rest).colwise() + t;
    const Points expected = (A * body.render->mesh.vertices).colwise() + t;
    EXPECT_LE((render.positions(moved, first) - expected).cwiseAbs().maxCoeff(), 1e-14);
  }
}

// It is drawn, and that is all: the system is the same without it.
TEST(RenderSurface, TakesNoPartInTheSimulation) {
  BodySetup body = coated(false);
  const auto with = beside_another(body);
  body.render.reset();
  const auto without = beside_another(body);
  EXPECT_EQ(with->vertex_count(), without->vertex_count());
  EXPECT_EQ(with->rest, without->rest);
  EXPECT_EQ(with->collision.triangles, without->collision.triangles);
}

TEST(RenderSurface, HasMeansOfValues) {
  const auto system = beside_another(coated(false));
  const RenderSurface& render = *system->bodies[1].render;
  const Index first = system->bodies[1].user_begin;
  VecX values(system->user_vertex_count);
  for (Index v = 0; v < values.size(); ++v) values[v] = v % 7;
  const VecX means = render.means(values, first);
  EXPECT_GE(means.minCoeff(), 0);
  EXPECT_LE(means.maxCoeff(), 6);
  EXPECT_LE((render.means(VecX::Constant(values.size(), 3), first).array() - 3).abs().maxCoeff(), 1e-14);
  for (const Index v : render.leaders(first)) EXPECT_GE(v, first);
}

TEST(RenderSurface, IsRefusedFarFromTheBody) {
  for (const bool affine : {false, true}) {
    BodySetup body = coated(affine);
    auto far = std::make_shared<RenderSurface>(*body.render);
    far->mesh.vertices *= 1000;
    body.render = far;
    EXPECT_THAT([&] { beside_another(body); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("body 'ball': render: vertex 0 is ")));
  }
}

}  // namespace sinew::render_surface_test
