#include "sinew/contact/vertex_runs.h"

#include "contact_meshes.h"
#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/contact/candidates.h"
#include "sinew/contact/kinematics.h"
#include "sinew/core/error.h"
#include "sinew/model/system.h"

namespace sinew {
namespace {

using test::octasphere;

constexpr double radius = 0.05;  // [m]

// Balls side by side over a plane y = 0, of 8 * 4^levels triangles, and a soft cube far from them.
std::shared_ptr<System> balls(int levels, int count = 1) {
  sinew::Setup setup;
  setup.bodies.push_back(test::body("cube", make_box(Vec3::Constant(0.1), {2, 2, 2}),
                                    test::material("neo_hookean", 1e5, 0.3), Vec3(1, 1, 1)));
  for (int b = 0; b < count; ++b) {
    TetMesh mesh;
    std::tie(mesh.vertices, mesh.triangles) = octasphere(levels, radius, Vec3(0.2 * b, 1.05 * radius, 0));
    setup.bodies.push_back(
        test::body("ball" + std::to_string(b), std::move(mesh), test::material("neo_hookean", 1e9, 0.3)));
    setup.bodies.back().affine = true;
  }
  setup.obstacles.push_back(test::floor_plane());
  setup.contact.distance = 1e-3;
  return build_system(std::move(setup));
}

// A rigid motion of all balls, a little stretched, and what follows it.
Points moved(const System& system, std::mt19937& random, double size) {
  std::normal_distribution<double> number(0, size);
  Points x = system.rest;
  const Mat3 A = Mat3::Identity() + Mat3::NullaryExpr([&] { return number(random); });
  const Vec3 t = Vec3::NullaryExpr([&] { return 0.02 * number(random); });
  for (Index v = 0; v < system.dynamic_count; ++v) x.col(v) = A * x.col(v) + t;
  system.embedding.place(x);
  return x;
}

TEST(VertexRuns, HoldEachVertexOnce) {
  const auto system = balls(3, 2);
  std::size_t next = 0, following = 0;
  for (const VertexRun& run : vertex_runs(system->collision, system->embedding)) {
    EXPECT_EQ(run.begin, next);
    EXPECT_GT(run.end, run.begin);
    next = run.end;
    if (!run.follows()) continue;
    following += run.end - run.begin;
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const auto row = system->embedding.row(system->collision.vertices[i]);
      for (std::size_t a = 0; a < 4; ++a) EXPECT_EQ(row[a].vertex, run.followed[a]);
    }
  }
  EXPECT_EQ(next, system->collision.vertices.size());
  EXPECT_EQ(following, 2 * 258u);  // the vertices of 512 triangles
}

// Bounds of positions, of heights and of motions hold for each vertex, also far from the origin, and are not much wider
// than needed.
TEST(VertexRuns, BoundTheirVertices) {
  const auto system = balls(4);
  const auto runs = vertex_runs(system->collision, system->embedding);
  std::mt19937 random(5);
  for (const double offset : {0.0, 1e5}) {
    for (int trial = 0; trial < 10; ++trial) {
      Points x = moved(*system, random, 0.3), end = moved(*system, random, 0.3);
      x.array() += offset;
      system->embedding.place(x);
      const Vec3 normal = Vec3::NullaryExpr([&] { return std::normal_distribution<double>()(random); }).normalized();
      for (const VertexRun& run : runs) {
        if (!run.follows()) continue;
        const AffineMap map(x, run.followed), d = AffineMap(end, run.followed) - map;
        const MeanMotion motion = run.motion(d);
        Vec3 low, high;
        run.bounds(map, low, high);
        double lowest = 1e300, spread = 0, width = 0;
        for (std::size_t i = run.begin; i < run.end; ++i) {
          const Index v = system->collision.vertices[i];
          EXPECT_TRUE((x.col(v).array() >= low.array()).all() && (x.col(v).array() <= high.array()).all());
          lowest = std::min(lowest, normal.dot(x.col(v)));
          spread = std::max(spread, (end.col(v) - x.col(v) - motion.mean).norm());
          width = std::max(width, (x.col(v) - x.col(system->collision.vertices[run.begin])).norm());
        }
        const double bound = run.lowest(map.along(normal), map.size());
        EXPECT_LE(bound, lowest);
        EXPECT_GE(bound, lowest - width - 1e-12 * offset);
        EXPECT_GE(motion.spread, spread);
      }
    }
  }
}

// Contacts and steps are those of a detector that looks at each vertex.
TEST(VertexRuns, LeaveOutNoContact) {
  const auto system = balls(4, 2);
  ContactDetector by_runs(system->collision, system->embedding), one_by_one(system->collision);
  std::mt19937 random(7);
  std::size_t contacts = 0, limited = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double size = trial % 2 == 0 ? 0.03 : 0.3;
    const Points x = moved(*system, random, size), d = moved(*system, random, size) - x;
    std::vector<PlaneState> now = planes_at(*system, 0), end = now;
    const double lowest = x.row(1).minCoeff();
    now[0].point[1] = lowest - 5e-4;
    end[0].point = now[0].point + Vec3(0, 1e-3, 0);
    end[0].normal = Vec3(0.05, 1, 0.02).normalized();
    const ContactSet set = one_by_one.active_set(x, now, 1e-3);
    const ContactSet& same = by_runs.active_set(x, now, 1e-3);
    ASSERT_EQ(same.stencils.size(), set.stencils.size());
    for (std::size_t s = 0; s < set.stencils.size(); ++s) {
      EXPECT_EQ(same.stencils[s].v, set.stencils[s].v);
      EXPECT_EQ(same.stencils[s].kind, set.stencils[s].kind);
      EXPECT_EQ(same.stencils[s].weight, set.stencils[s].weight);
    }
    EXPECT_EQ(same.min_distance, set.min_distance);
    const double step = one_by_one.max_step(x, d, now, end);
    EXPECT_EQ(by_runs.max_step(x, d, now, end), step);
    contacts += set.stencils.size();
    limited += step > 0 && step < 1;
  }
  EXPECT_GT(contacts, 100u);
  EXPECT_GT(limited, 10u);
}

TEST(VertexRuns, CheckPositionsThatAreNotFinite) {
  const auto system = balls(3);
  ContactDetector detector(system->collision, system->embedding);
  Points x = system->rest;
  x(1, system->embedding.row(system->dynamic_count)[0].vertex) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(detector.active_set(x, planes_at(*system, 0), 1e-3), SimulationError);
  EXPECT_EQ(detector.max_step(system->rest, x, planes_at(*system, 0), planes_at(*system, 0)), 0);
}

// A ball over a plane: vertices are looked at where a run of them is near, a band of the width of a run.
TEST(VertexRuns, CostWhatIsNear) {
  for (const int levels : {4, 5, 6}) {
    const auto system = balls(levels);
    ContactDetector detector(system->collision, system->embedding);
    std::vector<PlaneState> planes = planes_at(*system, 0);
    planes[0].point[1] = -radius;
    detector.active_set(system->rest, planes, 1e-3);
    EXPECT_EQ(detector.plane_test_count(), 26u);  // of the cube, which follows nothing
    planes[0].point[1] = 0.05 * radius - 5e-4;
    EXPECT_FALSE(detector.active_set(system->rest, planes, 1e-3).stencils.empty());
    const double vertices = static_cast<double>(system->collision.vertices.size());
    EXPECT_LE(detector.plane_test_count(), 26 + 2.5 * std::sqrt(VertexRun::most * vertices));
  }
}

}  // namespace
}  // namespace sinew
