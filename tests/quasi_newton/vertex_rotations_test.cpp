#include "sinew/quasi_newton/vertex_rotations.h"

#include "support/bodies.h"
#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace sinew {
namespace {

// A bar with one vertex that is held along one axis alone.
struct VertexTurns : testing::Test {
  std::shared_ptr<System> system = [] {
    sinew::Setup setup;
    setup.bodies.push_back(test::body("bar", make_box({0.4, 0.1, 0.1}, {6, 2, 2}), test::material("stvk", 1e5, 0.3)));
    setup.contact.enabled = false;
    return build_system(std::move(setup));
  }();
  Index n = system->dynamic_count;
  Points rest = system->rest.leftCols(n);
  std::vector<char> prescribed = std::vector<char>(3 * static_cast<std::size_t>(n), 0);
  VertexRotations rotations;
};

TEST_F(VertexTurns, AreThoseOfARigidMotion) {
  const Mat3 Q = Eigen::AngleAxisd(2.5, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  prescribed[3 * 7 + 1] = 1;
  rotations.set(*system, (Q * rest).colwise() + Vec3(1, 2, 3), prescribed);
  const Points q = Points::Random(3, n);
  Points turned, back;
  rotations.apply(q, turned);
  for (Index v = 0; v < n; ++v)
    EXPECT_LT((turned.col(v) - (v == 7 ? Vec3(q.col(v)) : Vec3(Q * q.col(v)))).norm(), 1e-12) << v;
  rotations.apply_transposed(turned, back);
  EXPECT_LT((back - q).norm(), 1e-12 * q.norm());
  back = q;
  rotations.apply(back, back);  // in place
  EXPECT_EQ(back, turned);
}

// Of R S with a stretch S the rotation is R. A reflection has none: one that is nearest takes its place.
TEST_F(VertexTurns, LeaveStretchesOut) {
  const Mat3 Q = Eigen::AngleAxisd(0.7, Vec3::UnitZ()).toRotationMatrix();
  const Points q = Points::Random(3, n);
  Points turned;
  rotations.set(*system, Q * Vec3(1.5, 0.7, 0.9).asDiagonal() * rest, prescribed);
  rotations.apply(q, turned);
  EXPECT_LT((turned - Q * q).norm(), 1e-12 * q.norm());
  rotations.set(*system, Q * Vec3(1.5, 0.7, -0.1).asDiagonal() * rest, prescribed);
  rotations.apply(q, turned);
  EXPECT_LT((turned - Q * q).norm(), 1e-12 * q.norm());
  rotations.set(*system, Points::Zero(3, n), prescribed);
  rotations.apply(q, turned);
  EXPECT_EQ(turned, q);
}

}  // namespace
}  // namespace sinew
