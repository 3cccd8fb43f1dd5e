#include "sinew/model/affine_body.h"

#include "support/bodies.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

const Vec3 brick_size(0.1, 0.2, 0.3);

BodySetup brick(double young = 1e9, double density = 2000) {
  BodySetup body = test::body("brick", make_box(brick_size, {3, 2, 4}),
                              test::material("neo_hookean", young, 0.3, density), Vec3(1, 2, 3));
  body.affine = true;
  return body;
}

// The same as a closed surface.
BodySetup hollow_brick() {
  BodySetup body = brick();
  const TriMesh surface = compacted(body.mesh.vertices, boundary_triangles(body.mesh.tets));
  body.mesh = TetMesh{};
  body.mesh.vertices = surface.vertices;
  body.mesh.triangles = surface.triangles;
  return body;
}

std::shared_ptr<System> system_of(BodySetup body) {
  sinew::Setup setup;
  setup.bodies.push_back(std::move(body));
  return build_system(std::move(setup));
}

// int (x - c)(x - c)^T rho / m of a brick is diag(size^2) / 12.
TEST(AffineBody, HasTheMomentsOfTheBody) {
  for (const BodySetup& body : {brick(), hollow_brick()}) {
    const MassMoments moments = mass_moments(body);
    EXPECT_NEAR(moments.mass, 2000 * brick_size.prod(), 1e-12 * moments.mass);
    EXPECT_LE((moments.center - Vec3(1, 2, 3)).norm(), 1e-14);
    const Mat3 expected = (brick_size.array().square() / 12).matrix().asDiagonal();
    EXPECT_LE((moments.spread - expected).norm(), 1e-13 * expected.norm());
    EXPECT_NEAR(moments.young, 1e9, 1);
  }
}

// Four points of a quarter of the mass each have all moments of the body up to the second.
TEST(AffineBody, ControlPointsAreEquimomental) {
  const auto system = system_of(brick());
  ASSERT_EQ(system->dynamic_count, 4);
  Mat3 spread = Mat3::Zero();
  Vec3 center = Vec3::Zero();
  double mass = 0;
  for (Index i = 0; i < 4; ++i) {
    mass += system->mass[i];
    center += system->mass[i] * system->rest.col(i);
  }
  center /= mass;
  for (Index i = 0; i < 4; ++i) {
    const Vec3 r = system->rest.col(i) - center;
    spread += system->mass[i] / mass * r * r.transpose();
  }
  EXPECT_NEAR(mass, 2000 * brick_size.prod(), 1e-12 * mass);
  EXPECT_LE((center - Vec3(1, 2, 3)).norm(), 1e-14);
  const Mat3 expected = (brick_size.array().square() / 12).matrix().asDiagonal();
  EXPECT_LE((spread - expected).norm(), 1e-13 * expected.norm());
}

TEST(AffineBody, CarriesItsMesh) {
  const BodySetup body = brick();
  const auto system = system_of(body);
  EXPECT_EQ(system->body_vertex_count(), 4 + body.mesh.vertex_count());
  EXPECT_LE((system->to_user(system->rest) - body.mesh.vertices).norm(), 1e-13);
  // An affine map of the control points is that of the mesh, and the other way round.
  Mat3 A;
  A << 1.2, 0.1, -0.3, 0.2, 0.9, 0.4, -0.1, 0.3, 1.1;
  const Vec3 t(0.5, -0.2, 0.1);
  Points x = system->rest;
  x.leftCols(4) = (A * x.leftCols(4)).colwise() + t;
  system->embedding.place(x);
  const Points expected = (A * body.mesh.vertices).colwise() + t;
  EXPECT_LE((system->to_user(x) - expected).norm(), 1e-13 * expected.norm());
  EXPECT_LE((system->from_user(expected) - x).norm(), 1e-13 * x.norm());
}

// Forces on control points become forces on the mesh with the same sum and moment.
TEST(AffineBody, ShowsForcesWithTheirResultant) {
  const auto system = system_of(brick());
  Points force(3, 4);
  force << 1, -2, 0.5, 3, 0, 1, 1, -4, 2, 2, -1, 0;
  const Points shown = system->forces_on_shown(force);
  Vec3 sum = Vec3::Zero(), moment = sum;
  for (Index v = 0; v < shown.cols(); ++v) {
    sum += shown.col(v);
    moment += Vec3(system->rest.col(v)).cross(Vec3(shown.col(v)));
  }
  for (Index v = 0; v < 4; ++v) {
    EXPECT_EQ(shown.col(v).norm(), 0);
    sum -= force.col(v);
    moment -= Vec3(system->rest.col(v)).cross(Vec3(force.col(v)));
  }
  EXPECT_LE(sum.norm(), 1e-13);
  EXPECT_LE(moment.norm(), 1e-12);
}

template <class Change>
void expect_refused(BodySetup body, const char* text, Change change) {
  change(body);
  EXPECT_THAT([&] { system_of(body); }, testing::ThrowsMessage<InputError>(testing::HasSubstr(text)));
}

TEST(AffineBody, RefusesWhatItCannotBe) {
  expect_refused(hollow_brick(), "its surface is open",
                 [](BodySetup& body) { body.mesh.triangles.conservativeResize(3, body.mesh.triangles.cols() - 1); });
  expect_refused(hollow_brick(), "turn its triangles outward",
                 [](BodySetup& body) { body.mesh.triangles.row(0).swap(body.mesh.triangles.row(1)); });
  const auto fix = [](BodySetup& body, std::vector<Index> vertices) {
    body.fixes.emplace_back().vertices = std::move(vertices);
  };
  expect_refused(brick(), "so the affine body can still move", [&](BodySetup& body) { fix(body, {0}); });
  expect_refused(brick(), "so the affine body can still move", [&](BodySetup& body) {
    fix(body, test::select_vertices(body.mesh, [](const Vec3& x) { return x[0] < 0.951; }));  // a face
  });
}

TEST(AffineBody, IsFixedByItsControlPoints) {
  BodySetup body = brick();
  body.fixes.emplace_back().vertices = test::select_vertices(body.mesh, [](const Vec3& x) { return x[0] < 1; });
  const auto system = system_of(std::move(body));
  ASSERT_EQ(system->prescribed.size(), 4u);
  for (Index v = 0; v < 4; ++v) EXPECT_EQ(system->prescribed[v].vertex, v);
}

}  // namespace
}  // namespace sinew
