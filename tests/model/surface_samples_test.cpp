#include "sinew/model/surface_samples.h"

#include "support/bodies.h"
#include "support/ties.h"
#include <gtest/gtest.h>

#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/naming.h"

namespace sinew::surface_samples_test {

// Tets, an affine body, a body with a collision surface, and cloth.
std::shared_ptr<const System> all_kinds() {
  sinew::Setup setup;
  setup.contact.model = ContactKind::convergent;
  const auto rubber = test::material("neo_hookean", 1e5, 0.4);
  setup.bodies.push_back(test::body("tets", make_box(Vec3::Ones(), {2, 1, 3}), rubber));
  setup.bodies.push_back(test::body("affine", make_box(Vec3::Ones(), {1, 2, 1}), rubber, Vec3(2, 0, 0)));
  setup.bodies.back().affine = true;
  setup.bodies.push_back(test::body("skinned", make_box(Vec3::Ones(), {1, 1, 1}), rubber, Vec3(4, 0, 0)));
  const TetMesh skin = make_box(Vec3::Constant(1.02), {2, 2, 2});
  setup.bodies.back().collision = compacted(skin.vertices, boundary_triangles(skin.tets));
  setup.bodies.back().collision->vertices.row(0).array() += 4;
  TriMesh sheet;
  sheet.vertices.resize(3, 4);
  sheet.vertices << 0, 1, 0, 1, 2, 2, 2, 2, 0, 0, 1, 1;
  sheet.triangles.resize(3, 2);
  sheet.triangles << 0, 1, 1, 3, 2, 2;
  setup.bodies.push_back(test::cloth("sheet", sheet, test::springs(1e5, 1000, 1e-3)));
  setup.obstacles.push_back(test::floor_plane(-2));
  return build_system(std::move(setup));
}

TEST(SurfaceSamples, LieInTheirTrianglesAndFollowThem) {
  const auto system = all_kinds();
  const CollisionMesh& mesh = system->collision;
  const auto weights = sample_weights(4);
  ASSERT_EQ(weights.size(), 16u);
  ASSERT_EQ(mesh.sample_corners.cols(), 16 * mesh.triangles.cols());
  Mat3 A;
  A << 1.2, 0.1, -0.3, 0.2, 0.9, 0.4, -0.1, 0.3, 1.1;
  Points x = A * system->rest;
  x.middleCols(mesh.sample_begin, mesh.sample_corners.cols()).setZero();
  system->place_followers(x);
  for (Eigen::Index s = 0; s < mesh.sample_corners.cols(); ++s) {
    const auto corners = mesh.sample_corners.col(s);
    const auto& w = weights[static_cast<std::size_t>(s % 16)];
    const Vec3 expected = w[0] * x.col(corners[0]) + w[1] * x.col(corners[1]) + w[2] * x.col(corners[2]);
    EXPECT_LE((x.col(mesh.sample_begin + s) - expected).norm(), 1e-14);
    EXPECT_LE((x.col(mesh.sample_begin + s) - A * system->rest.col(mesh.sample_begin + s)).norm(), 1e-14);
    EXPECT_EQ(mesh.vertex_owner[mesh.sample_begin + s], mesh.vertex_owner[corners[0]]);
    EXPECT_EQ(mesh.vertex_material[mesh.sample_begin + s], mesh.vertex_material[corners[0]]);
  }
}

// Uniform pressure on the samples of a triangle is a third of its area at each corner.
TEST(SurfaceSamples, AreasAddUpToConsistentForces) {
  const auto system = all_kinds();
  const CollisionMesh& mesh = system->collision;
  const auto weights = sample_weights(4);
  std::vector<double> by_samples(system->vertex_count(), 0), by_triangles = by_samples;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!mesh.is_sample(mesh.vertices[i])) {
      by_triangles[mesh.vertices[i]] = mesh.vertex_area[i];
      continue;
    }
    const Index s = mesh.vertices[i] - mesh.sample_begin;
    for (int k = 0; k < 3; ++k)
      by_samples[mesh.sample_corners(k, s)] += weights[static_cast<std::size_t>(s % 16)][k] * mesh.vertex_area[i];
  }
  for (std::size_t v = 0; v < by_samples.size(); ++v) EXPECT_NEAR(by_samples[v], by_triangles[v], 1e-14);
}

// The rule integrates linear functions: weights lie inside, and their mean is the centroid.
TEST(SurfaceSamples, AreAsManyAsTheSquareOfTheParts) {
  for (int cuts = 1; cuts <= 6; ++cuts) {
    const auto weights = sample_weights(cuts);
    ASSERT_EQ(static_cast<int>(weights.size()), cuts * cuts);
    Vec3 mean = Vec3::Zero();
    for (const auto& w : weights) {
      mean += Vec3(w[0], w[1], w[2]) / static_cast<double>(weights.size());
      EXPECT_GT(std::min({w[0], w[1], w[2]}), 0.1 / cuts);
    }
    EXPECT_LE((mean - Vec3::Constant(1.0 / 3)).norm(), 1e-14);
  }
}

TEST(SurfaceSamples, TwoBodiesShareThePressure) {
  const auto system = all_kinds();
  const CollisionMesh& mesh = system->collision;
  const auto share = [&](Index a, Index b) { return mesh.sample_share[a * mesh.owner_count + b]; };
  for (Index a = 0; a < 4; ++a) {
    EXPECT_EQ(share(a, a), 0.5);
    EXPECT_EQ(share(a, 4), 1) << "an obstacle has no samples";
    EXPECT_EQ(share(4, a), 0);
    for (Index b = 0; b < 4; ++b) EXPECT_NEAR(share(a, b) + share(b, a), 1, 1e-15);
  }
  EXPECT_GT(share(2, 3), 0.99) << "the finer mesh carries all";
}

TEST(SurfaceSamples, AreNoVerticesOfTheUser) {
  const auto system = all_kinds();
  const Points user = system->to_user(system->rest);
  EXPECT_EQ(user.cols(), system->user_vertex_count);
  Points again = system->from_user(user);
  EXPECT_LE((again - system->rest.leftCols(system->body_vertex_count())).cwiseAbs().maxCoeff(), 1e-13);
  Points forces = Points::Random(3, system->body_vertex_count());
  Vec3 before = forces.rowwise().sum();
  const Points shown = system->forces_on_shown(forces);
  const CollisionMesh& mesh = system->collision;
  EXPECT_EQ(shown.middleCols(mesh.sample_begin, mesh.sample_corners.cols()).norm(), 0);
  EXPECT_LE((shown.rowwise().sum() - before).norm(), 1e-12 * forces.norm());
}

TEST(SurfaceSamples, AreNamedByTheirTriangle) {
  const auto system = all_kinds();
  const Index sample = system->collision.sample_begin;
  const std::string text = vertex_text(*system, sample);
  EXPECT_TRUE(text.starts_with("a point of triangle (")) << text;
  EXPECT_TRUE(text.ends_with("of body 'tets'")) << text;
  EXPECT_TRUE(primitive_text(*system, std::vector<Index>{sample}).starts_with("a point of triangle ("));
}

// Samples of tied faces do not touch each other.
TEST(SurfaceSamples, AreGluedAsTheirTriangles) {
  sinew::Setup setup = test::tied_blocks(0);
  setup.contact.model = ContactKind::convergent;
  const auto system = build_system(std::move(setup));
  const CollisionMesh& mesh = system->collision;
  int glued = 0;
  for (Eigen::Index s = 0; s < mesh.sample_corners.cols(); ++s) {
    const std::array<Index, 1> sample{mesh.sample_begin + static_cast<Index>(s)};
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
      const std::array<Index, 3> triangle{mesh.triangles(0, t), mesh.triangles(1, t), mesh.triangles(2, t)};
      const std::array<Index, 3> own{mesh.sample_corners(0, s), mesh.sample_corners(1, s), mesh.sample_corners(2, s)};
      EXPECT_EQ(mesh.glued(sample, triangle), mesh.glued(own, triangle));
      glued += mesh.glued(sample, triangle);
    }
  }
  EXPECT_GT(glued, 100);
}

}  // namespace sinew::surface_samples_test
