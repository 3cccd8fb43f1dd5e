#include "sinew/model/tie.h"

#include "support/bodies.h"
#include "support/ties.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// The lower block follows the upper one.
const Tie& tie_of(const System& system) {
  return system.ties.at(0);
}

// The farthest that a tied vertex is from where an affine map takes it, when all that it follows goes there.
double affine_error(const System& system) {
  Mat3 A;
  A << 1.2, 0.1, -0.3, 0.2, 0.9, 0.4, -0.1, 0.3, 1.1;
  const Vec3 t(0.5, -0.2, 0.1);
  const Points expected = (A * system.rest).colwise() + t;
  Points x = expected;
  for (const Index v : tie_of(system).vertices) x.col(v).setZero();
  system.place_followers(x);
  return (x - expected).cwiseAbs().maxCoeff();
}

TEST(Ties, AffineMotionsMoveTheFaceAlong) {
  for (const double gap : {0.0, 1e-3, 0.02, -1e-3}) {
    SCOPED_TRACE(gap);
    const auto system = build_system(test::tied_blocks(gap));
    ASSERT_EQ(tie_of(*system).vertices.size(), 16u);
    EXPECT_NEAR(tie_of(*system).gap, std::abs(gap), 1e-15);
    EXPECT_LE(affine_error(*system), 1e-14);
  }
}

// Half-shells whose facets have different corners, so that faces cross and gape.
TEST(Ties, CurvedFacesAreTiedToo) {
  const auto bent = [](TetMesh mesh) {  // about the x axis: y becomes the angle, z + 1 the radius
    for (Index v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3 p = mesh.vertices.col(v);
      mesh.vertices.col(v) << p[0], (1 + p[2]) * std::sin(p[1]), (1 + p[2]) * std::cos(p[1]);
    }
    return mesh;
  };
  sinew::Setup setup = test::tied_blocks(0);
  for (BodySetup& body : setup.bodies) body.mesh = bent(body.mesh);
  const auto system = build_system(std::move(setup));
  EXPECT_GT(tie_of(*system).gap, 1e-4);
  EXPECT_LE(affine_error(*system), 1e-13);
}

// sum_i A_i w_im = int N_m: a constant traction on one side is the same one on the other.
TEST(Ties, HandOnConstantTractions) {
  for (const bool swapped : {false, true}) {
    const sinew::Setup setup = test::tied_blocks(0, swapped);
    const auto system = build_system(setup);
    const Tie& tie = tie_of(*system);
    Points got = Points::Zero(3, system->dynamic_count), expected = got;
    for (std::size_t i = 0; i < tie.vertices.size(); ++i)
      for (const Embedding::Entry& entry : tie.rows[i]) got(2, entry.vertex) += tie.area[i] * entry.weight;
    // The faces of the other side: those of the surface whose corners are all opposite.
    const CollisionMesh& surface = system->collision;
    for (Index f = 0; f < surface.triangles.cols(); ++f) {
      const auto is_opposite = [&](Index v) { return std::ranges::binary_search(tie.opposite, v); };
      const auto corners = surface.triangles.col(f);
      if (!is_opposite(corners[0]) || !is_opposite(corners[1]) || !is_opposite(corners[2])) continue;
      for (int k = 0; k < 3; ++k) expected(2, corners[k]) += triangle_area(system->rest, surface.triangles, f) / 3;
    }
    EXPECT_NEAR(expected.sum(), test::block_size.x() * test::block_size.y(), 1e-15);
    EXPECT_LE((got - expected).cwiseAbs().maxCoeff(), 1e-15);
  }
}

// A face that hangs over the edge of what it is tied to: weights by the part that lies opposite.
TEST(Ties, FacesMayHangOver) {
  sinew::Setup setup = test::tied_blocks(0);
  setup.bodies[0].mesh.vertices.row(0).array() += 0.01;
  EXPECT_LE(affine_error(*build_system(std::move(setup))), 1e-13);
}

// A vertex that follows one that follows others.
TEST(Ties, FollowThroughEachOther) {
  sinew::Setup setup = test::tied_blocks(0);
  setup.bodies.push_back(test::body("third", make_box(test::block_size, {1, 1, 1}),
                                    test::material("neo_hookean", 1e5, 0.3), Vec3(test::block_size.x(), 0, 0.05)));
  TieSetup beside;  // the upper block follows the third one, also at the edge where the lower one follows it
  beside.body = 1;
  beside.to = 2;
  beside.faces = test::faces_where(setup.bodies[1].mesh, [](const Vec3& x) { return x[0] > 0.0999; });
  beside.to_faces = test::faces_where(setup.bodies[2].mesh, [](const Vec3& x) { return x[0] < 0.1001; });
  setup.ties.push_back(beside);
  const auto system = build_system(setup);
  EXPECT_LE(affine_error(*system), 1e-14);
  for (const Index v : system->tied->followers())
    for (const Embedding::Entry& entry : system->tied->row(v)) EXPECT_FALSE(system->tied->follows(entry.vertex));
}

TEST(Ties, TakeAffineBodiesAsTheOtherSide) {
  sinew::Setup setup = test::tied_blocks(1e-3);
  setup.bodies[1].affine = true;
  const auto system = build_system(setup);
  EXPECT_LE(affine_error(*system), 1e-13);
  for (const Embedding::Row& row : tie_of(*system).rows) EXPECT_EQ(row.size(), 4u);
}

TEST(Ties, MayEndOverAGap) {
  sinew::Setup setup = test::tied_blocks(1e-3);
  setup.ties[0].until = 1;
  EXPECT_NO_THROW(build_system(setup));
  setup = test::tied_blocks(0);
  setup.ties[0].until = 1;
  setup.contact.ignore = {{"upper", "lower"}};
  EXPECT_NO_THROW(build_system(setup));
}

void expect_refused(const char* text, const std::function<void(sinew::Setup&)>& change) {
  sinew::Setup setup = test::tied_blocks(0);
  change(setup);
  EXPECT_THAT([&] { build_system(setup); }, testing::ThrowsMessage<InputError>(testing::HasSubstr(text)));
}

TEST(Ties, RefuseWhatCannotBe) {
  expect_refused("ties[0]: body 'lower' is tied to itself", [](sinew::Setup& setup) { setup.ties[0].to = 0; });
  expect_refused("ties[0]: the affine body 'lower' cannot follow",
                 [](sinew::Setup& setup) { setup.bodies[0].affine = true; });
  expect_refused("is fixed and follows body 'upper'", [](sinew::Setup& setup) {
    setup.bodies[0].fixes.emplace_back().vertices = {setup.ties[0].faces(0, 0)};
  });
  expect_refused("is tied by ties[0] already", [](sinew::Setup& setup) { setup.ties.push_back(setup.ties[0]); });
  expect_refused("depend on each other in a cycle", [](sinew::Setup& setup) {
    const TieSetup& tie = setup.ties[0];
    setup.ties.push_back({tie.to, tie.to_faces, tie.body, tie.faces});
  });
  expect_refused("found 16 of the 16 vertices of the tied face",
                 [](sinew::Setup& setup) { setup.bodies[0].mesh.vertices.row(2).array() -= 0.2; });
  expect_refused("0.2 m from the nearest face",
                 [](sinew::Setup& setup) { setup.bodies[0].mesh.vertices.row(2).array() -= 0.2; });
  expect_refused("found 4 of the 16 vertices of the tied face",
                 [](sinew::Setup& setup) { setup.bodies[0].mesh.vertices.row(0).array() += 0.07; });
  expect_refused("start with velocities that differ by 2 m/s",
                 [](sinew::Setup& setup) { setup.bodies[0].velocity = Vec3(0, 2, 0); });
  expect_refused("are 0 m apart at rest and would touch when the tie ends",
                 [](sinew::Setup& setup) { setup.ties[0].until = 1; });
  expect_refused("are 0 m apart at rest and would touch when the tie ends",
                 [](sinew::Setup& setup) { setup.ties[0].breaks_at = 1e5; });
  expect_refused("ties[0]: one side has no faces; select some on both bodies",
                 [](sinew::Setup& setup) { setup.ties[0].to_faces.resize(3, 0); });
}

}  // namespace
}  // namespace sinew
