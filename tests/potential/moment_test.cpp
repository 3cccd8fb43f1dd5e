// Moments, remote forces and the centrifugal potential: sums of forces, derivatives, and what turns with the faces.
#include "sinew/potential/moment.h"

#include <random>

#include "support/bodies.h"
#include "support/derivatives.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"
#include "sinew/potential/spin_energy.h"

namespace sinew::moment_test {
namespace {

Triangles top_faces(const TetMesh& mesh) {
  const Triangles all = boundary_triangles(mesh.tets);
  std::vector<Index> top;
  for (Index f = 0; f < all.cols(); ++f)
    if (mesh.vertices(1, all(0, f)) + mesh.vertices(1, all(1, f)) + mesh.vertices(1, all(2, f)) > 0.149)
      top.push_back(f);
  return all(Eigen::all, top);
}

std::shared_ptr<const System> loaded_cube(LoadKind kind, bool follows, std::optional<Vec3> point = {}) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Constant(0.1), {2, 2, 2}), test::material("neo_hookean", 1e5, 0.4)));
  LoadSetup load;
  load.kind = kind;
  load.vector = Vec3(1, -2, 3);
  load.follows = follows;
  load.point = point;
  load.faces = top_faces(setup.bodies[0].mesh);
  setup.bodies[0].loads = {load};
  return build_system(std::move(setup));
}

Points shaken(const System& system, double amount) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-amount, amount);
  Points x = system.rest;
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += uniform(random);
  return x;
}

struct Resultant {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // about the origin
};

Resultant resultant(const System& system, const Points& x) {
  StepContext context = test::resting_context(system);
  context.start = x;
  MomentEnergy energy(system);
  energy.begin_step(context);
  Points g = Points::Zero(3, x.cols());
  energy.add_gradient(x, 1, g);
  Resultant sum;
  for (Index i = 0; i < x.cols(); ++i) {
    sum.force -= g.col(i);
    sum.moment -= x.col(i).cross(Vec3(g.col(i)));
  }
  return sum;
}

TEST(Moment, HasNoResultantInAnyShape) {
  const auto system = loaded_cube(LoadKind::moment, false);
  const Resultant sum = resultant(*system, shaken(*system, 0.01));
  EXPECT_LT(sum.force.norm(), 1e-12);
  EXPECT_LT((sum.moment - Vec3(1, -2, 3)).norm(), 1e-12);
}

TEST(Moment, TurnsWithTheFacesIfItFollows) {
  const Mat3 R = Eigen::AngleAxisd(1.2, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  for (const LoadKind kind : {LoadKind::moment, LoadKind::remote_force}) {
    const auto system = loaded_cube(kind, true);
    const Points x = (R * system->rest).colwise() + Vec3(3, 2, 1);
    const Resultant sum = resultant(*system, x);
    EXPECT_LT(((kind == LoadKind::moment ? sum.moment : sum.force) - R * Vec3(1, -2, 3)).norm(), 1e-11);
  }
}

TEST(Moment, RemoteForceActsAtThePointThatMovesAlong) {
  const Vec3 point(0.2, 0.5, -0.3), force(1, -2, 3), shift(3, 2, 1);
  const Mat3 R = Eigen::AngleAxisd(0.8, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const auto system = loaded_cube(LoadKind::remote_force, false, point);
  const Resultant rest = resultant(*system, system->rest);
  EXPECT_LT((rest.force - force).norm(), 1e-12);
  EXPECT_LT((rest.moment - point.cross(force)).norm(), 1e-12);
  const Resultant moved = resultant(*system, (R * system->rest).colwise() + shift);
  EXPECT_LT((moved.force - force).norm(), 1e-11);
  EXPECT_LT((moved.moment - (R * point + shift).cross(force)).norm(), 1e-11);
}

TEST(Moment, GradientIsThatOfTheWork) {
  const auto system = loaded_cube(LoadKind::moment, true);
  const Points x = shaken(*system, 0.01);
  MomentEnergy energy(*system);
  const StepContext context = test::resting_context(*system);
  energy.begin_step(context);
  energy.lag(shaken(*system, 0.02));
  EXPECT_GT(energy.lagging_change(x).change, 0);
  Points g = Points::Zero(3, x.cols());
  energy.add_gradient(x, 1, g);
  const Points d = shaken(*system, 0.01) * 0.1;
  EXPECT_NEAR(energy.value(x + d) - energy.value(x), g.cwiseProduct(d).sum(), 1e-10 * g.norm() * d.norm());
  energy.lag(x);
  EXPECT_EQ(energy.lagging_change(x).change, 0);
}

TEST(Spin, DerivativesMatchDifferences) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3::Constant(0.1), {2, 2, 2}), test::material("neo_hookean", 1e5, 0.4)));
  setup.spin = SpinSetup{Vec3(1, -2, 2) / 3, Vec3(0.1, 0.2, 0.3), 3, {}};
  const auto system = build_system(std::move(setup));
  SpinEnergy energy(*system);
  StepContext context = test::resting_context(*system);
  context.spin2 = 9;
  energy.begin_step(context);
  test::expect_derivatives(energy, shaken(*system, 0.01), 1e-4);
  // At each vertex the force is m w^2 times the arm from the axis.
  Points g = Points::Zero(3, system->dynamic_count);
  energy.add_gradient(system->rest, 1, g);
  const Vec3 arm = system->rest.col(5) - Vec3(0.1, 0.2, 0.3), axis = Vec3(1, -2, 2) / 3;
  EXPECT_LT((g.col(5) + 9 * system->mass[5] * (arm - arm.dot(axis) * axis)).norm(), 1e-14);
}

TEST(Spin, AngleIsTheIntegralOfKeyedSpeeds) {
  const SpinSetup spin{Vec3::UnitY(), Vec3::Zero(), 0, Keyframes{{0, 1, 3}, MatX{{0, 2, 6}}}};
  EXPECT_DOUBLE_EQ(spin.angle(0, 1), 1);
  EXPECT_DOUBLE_EQ(spin.angle(0.5, 3), 0.75 + 8);
  EXPECT_DOUBLE_EQ(spin.angle(2, 5), 5 + 12);
}

}  // namespace
}  // namespace sinew::moment_test
