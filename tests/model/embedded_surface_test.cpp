#include "sinew/model/embedded_surface.h"

#include "support/bodies.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/naming.h"

namespace sinew::embedded_surface_test {

TriMesh skin_of(const TetMesh& mesh) {
  return compacted(mesh.vertices, boundary_triangles(mesh.tets));
}

// A coarse ball with a fine skin that lies partly outside its tets.
BodySetup ball(bool affine = false) {
  BodySetup body =
      test::body("ball", make_sphere(0.1, 0.1), test::material("neo_hookean", 1e5, 0.3, 1000), Vec3(1, 2, 3));
  body.affine = affine;
  body.collision = skin_of(make_sphere(0.1, 0.02));
  body.collision->vertices.colwise() += Vec3(1, 2, 3);
  return body;
}

std::shared_ptr<System> system_of(BodySetup body) {
  sinew::Setup setup;
  setup.bodies.push_back(std::move(body));
  return build_system(std::move(setup));
}

TEST(CollisionSurface, TakesThePlaceOfTheBoundary) {
  for (const bool affine : {false, true}) {
    const BodySetup body = ball(affine);
    const auto system = system_of(body);
    EXPECT_EQ(system->collision.triangles.cols(), body.collision->triangles.cols());
    EXPECT_EQ(static_cast<Eigen::Index>(system->collision.vertices.size()), body.collision->vertices.cols());
    EXPECT_EQ(system->user_vertex_count, body.mesh.vertex_count());
    for (const Index v : system->collision.vertices) {
      EXPECT_TRUE(system->on_collision_surface(v));
      EXPECT_EQ(system->vertex_to_user[v], -1);
      EXPECT_LE((system->rest.col(v) - body.collision->vertices.col(own_number(*system, v))).norm(), 1e-14);
    }
    double area = 0, own = 0;
    for (const double a : system->collision.vertex_area) area += a;
    for (Index f = 0; f < body.collision->triangles.cols(); ++f)
      own += triangle_area(body.collision->vertices, body.collision->triangles, f);
    EXPECT_NEAR(area, own, 1e-12 * own);
  }
}

// Sums of weights are 1: an affine motion of the tets is that of the surface, exactly.
TEST(CollisionSurface, FollowsAffineMotions) {
  for (const bool affine : {false, true}) {
    const auto system = system_of(ball(affine));
    Mat3 A;
    A << 1.2, 0.1, -0.3, 0.2, 0.9, 0.4, -0.1, 0.3, 1.1;
    const Vec3 t(0.5, -0.2, 0.1);
    Points x = system->rest;
    x.leftCols(system->dynamic_count) = (A * x.leftCols(system->dynamic_count)).colwise() + t;
    const Points expected = (A * system->rest).colwise() + t;
    system->embedding.place(x);
    EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-13);
    // What the user sees, and sets, knows nothing of the collision surface.
    EXPECT_LE((system->from_user(system->to_user(x)) - x).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// Forces on the collision surface are shown on the user's vertices, with the same sum and moment.
TEST(CollisionSurface, ShowsForcesWithTheirResultant) {
  for (const bool affine : {false, true}) {
    const auto system = system_of(ball(affine));
    Points force = Points::Zero(3, system->body_vertex_count());
    for (const Index v : system->collision.vertices) force.col(v) = Vec3(std::sin(v), std::cos(2 * v), std::sin(3 * v));
    const Points shown = system->forces_on_shown(force);
    Vec3 sum = Vec3::Zero(), moment = sum;
    for (Index v = 0; v < shown.cols(); ++v) {
      EXPECT_TRUE(system->vertex_to_user[v] >= 0 || shown.col(v).norm() == 0);
      const Vec3 x = system->rest.col(v);
      sum += shown.col(v) - force.col(v);
      moment += x.cross(shown.col(v) - force.col(v));
    }
    EXPECT_LE(sum.norm(), 1e-12 * force.norm());
    EXPECT_LE(moment.norm(), 1e-11 * force.norm());
  }
}

TEST(CollisionSurface, HasTheMaterialOfItsTets) {
  BodySetup body = test::body("bar", make_box(Vec3(0.4, 0.1, 0.1), {4, 1, 1}), test::material("stvk", 1e5, 0.3));
  body.materials.push_back(test::material("stvk", 1e6, 0.3, 1000, "other"));
  for (Index t = 0; t < body.mesh.tet_count(); ++t) {
    double x = 0;
    for (const Index v : body.mesh.tets.col(t)) x += body.mesh.vertices(0, v);
    body.materials[x < 0 ? 0 : 1].tets.push_back(t);
  }
  body.collision = skin_of(make_box(Vec3(0.39, 0.09, 0.09), {16, 4, 4}));
  const auto system = system_of(body);
  for (const Index v : system->collision.vertices) {
    const double x = system->rest(0, v);
    if (std::abs(x) < 0.06) continue;
    EXPECT_EQ(system->collision.vertex_material[v], x < 0 ? 0 : 1) << x;
  }
}

TEST(CollisionSurface, IsNamedInMessages) {
  const auto system = system_of(ball());
  const Index v = system->collision.vertices[0];
  EXPECT_EQ(vertex_text(*system, v),
            fmt::format("vertex {} of the collision surface of body 'ball'", own_number(*system, v)));
  EXPECT_THAT(primitive_text(*system, {&system->collision.triangles(0, 0), 3}),
              testing::EndsWith(") of the collision surface"));
}

template <class Change>
void expect_refused_surface(BodySetup body, const char* text, Change change) {
  change(body);
  EXPECT_THAT([&] { system_of(body); }, testing::ThrowsMessage<InputError>(testing::HasSubstr(text)));
}

TEST(CollisionSurface, IsRefusedFarFromTheBody) {
  for (const bool affine : {false, true}) {
    expect_refused_surface(ball(affine), "body 'ball': collision: vertex 0 is ",
                           [](BodySetup& body) { body.collision->vertices *= 1000; });
    expect_refused_surface(ball(affine), " m away from the body, whose size is 0.295",
                           [](BodySetup& body) { body.collision->vertices.colwise() += Vec3(0.3, 0, 0); });
  }
  const TriMesh sheet = make_sheet({1, 1}, {2, 2});
  BodySetup cloth = test::cloth("cloth", sheet, test::springs(1e5, 1000, 1e-3));
  expect_refused_surface(cloth, "body 'cloth': collision: its mesh is already a surface",
                         [&](BodySetup& body) { body.collision = sheet; });
}

}  // namespace sinew::embedded_surface_test
