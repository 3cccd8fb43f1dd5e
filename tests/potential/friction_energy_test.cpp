#include "sinew/potential/friction_energy.h"

#include "potential/stencil_scene.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

CollisionMesh materials(const test::StencilScene& scene) {
  CollisionMesh mesh;
  mesh.dynamic_count = scene.dynamic_count;
  mesh.material_count = 2;
  mesh.friction = {0.2, 0, 0, 0.4};  // no friction between unlike materials
  for (Index i = 0; i < scene.x.cols(); ++i) mesh.vertex_material.push_back(i % 2);
  mesh.planes = {{0, 0}, {0, 1}};
  return mesh;
}

struct Friction {
  Friction(Index vertices, int contacts, unsigned seed)
      : scene(test::stencil_scene(vertices, contacts, seed)), energy(scene.dynamic_count), reference(scene.x) {
    energy.set_reference(reference, eps);
    energy.lag_contacts(scene.contacts, scene.x, scene.planes, {1e3, 2}, materials(scene));
    std::mt19937 random(seed);
    x = reference;
    for (Index i = 0; i < x.cols(); ++i) x.col(i) += test::random_vector(random, i % 3 ? 0.3 * eps : 5 * eps);
    H = test::matrix_for(energy, scene.dynamic_count);
    g = Points::Zero(3, scene.dynamic_count);
  }
  static constexpr double eps = 1e-3;
  test::StencilScene scene;
  FrictionEnergy energy;
  Points reference, x;
  SymBlockMatrix H;
  Points g;
};

TEST(FrictionEnergy, LeavesOutContactsWithoutFriction) {
  Friction f(40, 200, 1);
  EXPECT_GT(f.energy.stencils().size(), 50u);
  EXPECT_LT(f.energy.stencils().size(), 150u);
  for (const FrictionStencil& s : f.energy.stencils()) EXPECT_GT(s.coefficient * s.normal_force, 0);
  EXPECT_GT(f.energy.value(f.x), 0);
}

// Normal forces are means, also of contacts that only one of both has. Planes drag old and new contacts alike.
TEST(FrictionEnergy, DampedForcesAreMeans) {
  Friction f(40, 200, 4);
  std::vector<ContactStencil>& all = f.scene.contacts;
  std::ranges::sort(all, {}, &ContactStencil::v);
  const auto same = std::ranges::unique(all, {}, &ContactStencil::v);
  all.erase(same.begin(), same.end());
  std::shuffle(all.begin(), all.end(), std::mt19937(4));
  const auto contacts = std::span(all);
  const CollisionMesh mesh = materials(f.scene);
  std::vector<PlaneState> moved = f.scene.planes;
  for (PlaneState& plane : moved) plane.point += 3 * Friction::eps * plane.normal.unitOrthogonal();
  FrictionEnergy before(f.scene.dynamic_count), anew(f.scene.dynamic_count);
  for (FrictionEnergy* energy : {&before, &anew}) energy->set_reference(f.reference, Friction::eps);
  before.lag_contacts(contacts.first(contacts.size() * 3 / 4), f.scene.x, f.scene.planes, {1e3, 2}, mesh);
  anew.lag_contacts(contacts.last(contacts.size() * 3 / 4), f.scene.x, f.scene.planes, {5e3, 2}, mesh);
  const auto value = [&](FrictionEnergy& energy) {
    energy.set_plane_motion(f.scene.planes, moved);
    return energy.value(f.x);
  };
  const double old_value = value(before), new_value = value(anew);
  before.adopt(anew, 0.25);
  const double expected = 0.75 * old_value + 0.25 * new_value;
  EXPECT_GT(std::abs(new_value - old_value), 0.1 * expected);
  EXPECT_NEAR(value(before), expected, 1e-12 * expected);
}

TEST(FrictionEnergy, SoftenedFrictionIsBetweenNothingAndAll) {
  Friction f(30, 100, 3);
  f.energy.add_derivatives(f.x, 0.5, Projection::psd, f.g, f.H);
  const MatX exact = test::dense(f.H);
  Points unused = Points::Zero(3, f.scene.dynamic_count);
  f.H.set_zero();
  f.energy.add_softened(f.x, 0.5, Projection::psd, std::vector<double>(f.scene.dynamic_count, 1e-3 * exact.norm()),
                        unused, f.H);
  const MatX soft = test::dense(f.H);
  const auto least = [](const MatX& A) { return Eigen::SelfAdjointEigenSolver<MatX>(A).eigenvalues().minCoeff(); };
  EXPECT_GE(least(soft), -1e-13 * exact.norm());
  EXPECT_GE(least(exact - soft), -1e-13 * exact.norm());
  EXPECT_LT(soft.norm(), 0.1 * exact.norm());
  EXPECT_GT(soft.norm(), 0);
}

TEST(FrictionEnergy, DerivativesAgainstDifferences) {
  Friction f(14, 40, 2);
  // Third derivatives jump where |u| = eps and at rest: no differences across.
  std::vector<FrictionStencil> smooth(f.energy.stencils().begin(), f.energy.stencils().end());
  std::erase_if(smooth, [&](const FrictionStencil& s) {
    const double y = friction_slip(s, f.x, f.reference).norm() / f.eps;
    return std::abs(y - 1) < 0.02 || y < 0.02;
  });
  ASSERT_GT(smooth.size(), 8u);
  f.energy.set_stencils(smooth);
  f.energy.took(f.x, Points::Zero(3, f.x.cols()), 1);  // forces as they are at x
  f.energy.add_derivatives(f.x, 1, Projection::none, f.g, f.H);
  const MatX H = test::dense(f.H);
  EXPECT_GT(std::min(f.g.norm(), H.norm()), 0) << "derivatives that vanish test nothing";
  const double h = 1e-3 * f.eps;
  for (int k = 0; k < 3 * f.scene.dynamic_count; ++k) {
    const double slope = test::difference([&](const Points& x) { return f.energy.value(x); }, f.x, k, h);
    EXPECT_NEAR(slope, f.g.data()[k], 1e-7 * f.g.norm());
    const VecX column = test::difference(
        [&](const Points& x) {
          Points g = Points::Zero(3, f.scene.dynamic_count);
          f.energy.add_gradient(x, 1, g);
          return VecX(g.reshaped());
        },
        f.x, k, h);
    EXPECT_LE((column - H.col(k)).norm(), 1e-6 * H.norm());
  }
  EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatX>(H).eigenvalues().minCoeff(), -1e-13 * H.norm());
  f.H.set_zero();
  f.energy.add_derivatives(f.x, 1, Projection::psd, f.g, f.H);
  EXPECT_EQ(test::dense(f.H), H);
}

TEST(FrictionEnergy, RestsWithoutForceAndOpposesMotion) {
  Friction f(40, 200, 3);
  Points force = Points::Zero(3, f.scene.dynamic_count);
  f.energy.add_gradient(f.reference, -1, force);
  EXPECT_EQ(force.norm(), 0);
  f.energy.add_derivatives(f.reference, 1, Projection::psd, f.g, f.H);
  EXPECT_TRUE(test::dense(f.H).allFinite());
  f.energy.add_gradient(f.x, -1, force);
  // Power on all vertices, kinematic ones included, is negative: take every vertex as dynamic.
  FrictionEnergy all(static_cast<Index>(f.x.cols()));
  all.set_reference(f.reference, f.eps);
  all.set_stencils({f.energy.stencils().begin(), f.energy.stencils().end()});
  Points total = Points::Zero(3, f.x.cols());
  all.add_gradient(f.x, -1, total);
  EXPECT_LT(total.cwiseProduct(f.x - f.reference).sum(), 0);
  EXPECT_EQ(total.leftCols(f.scene.dynamic_count), force);
}

TEST(FrictionEnergy, MovingPlanesDragAlong) {
  Friction f(40, 300, 4);
  std::erase_if(f.scene.contacts, [](const ContactStencil& s) { return s.kind != StencilKind::point_plane; });
  f.energy.lag_contacts(f.scene.contacts, f.scene.x, f.scene.planes, {1e3, 2}, materials(f.scene));
  std::vector<PlaneState> moved = f.scene.planes;
  moved[0].point += Vec3(1, 0, 0);
  moved[1].point += Vec3(0, 0, 1);
  f.energy.set_plane_motion(f.scene.planes, moved);
  Points force = Points::Zero(3, f.scene.dynamic_count);
  f.energy.add_gradient(f.reference, -1, force);
  EXPECT_GT(force.row(0).minCoeff(), -1e-12);
  EXPECT_GT(force.row(2).minCoeff(), -1e-12);
  EXPECT_GT(force.row(0).sum(), 0);
  EXPECT_GT(force.row(2).sum(), 0);
  Points carried = f.reference;
  for (const ContactStencil& s : f.scene.contacts)
    carried.col(s.v[0]) = f.reference.col(s.v[0]) + (s.plane ? Vec3(0, 0, 1) : Vec3(1, 0, 0));
  f.energy.set_plane_motion(f.scene.planes, f.scene.planes);
  force.setZero();
  f.energy.add_gradient(f.reference, -1, force);
  EXPECT_EQ(force.norm(), 0);
}

TEST(FrictionEnergy, WeightedListsAndThreads) {
  Friction one(300, 12000, 5), two(300, 12000, 5);
  ASSERT_GT(one.energy.stencils().size(), 4096u);
  double values[2];
  {
    ThreadLimit limit(1);
    values[0] = one.energy.value(one.x);
    one.energy.add_derivatives(one.x, 1, Projection::psd, one.g, one.H);
  }
  {
    ThreadLimit limit(2);
    values[1] = two.energy.value(two.x);
    two.energy.add_derivatives(two.x, 1, Projection::psd, two.g, two.H);
  }
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(one.g, two.g);
  EXPECT_TRUE(std::equal(one.H.values().begin(), one.H.values().end(), two.H.values().begin()));

  const std::vector<Index> ids{5, 2};
  const std::vector<double> weights{2, 0.5};
  const double expected = 2 * one.energy.stencil_value(one.x, 5) + 0.5 * one.energy.stencil_value(one.x, 2);
  EXPECT_DOUBLE_EQ(one.energy.value(one.x, ids, weights), expected);
  one.g.setZero();
  one.H.set_zero();
  one.energy.add_derivatives(one.x, ids, weights, 3, Projection::psd, one.g, one.H);
  Points g = Points::Zero(3, one.scene.dynamic_count);
  one.energy.add_gradient(one.x, ids, weights, 3, g);
  EXPECT_EQ(g, one.g);
}

TEST(FrictionEnergy, NeedsAPositiveSlipDistance) {
  FrictionEnergy energy(1);
  const Points x = Points::Zero(3, 1);
  try {
    energy.set_reference(x, 0);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "friction: the slip distance slip_speed * time step is 0 m, expected a positive number; set "
                 "contact.slip_speed above 0");
  }
  EXPECT_EQ(energy.value(x), 0);
}

}  // namespace
}  // namespace sinew
