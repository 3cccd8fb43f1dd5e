#include "sinew/quasi_newton/part_rotations.h"

#include <random>

#include "support/bodies.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

// A bar, of two materials where asked for, pinned at one end where asked for.
std::shared_ptr<System> bar_of_parts(bool two, bool pinned) {
  sinew::Setup setup;
  BodySetup body;
  body.name = "bar";
  body.mesh = make_box({0.4, 0.1, 0.1}, {6, 2, 2});
  MaterialAssignment soft = test::material("corotated", 1e5, 0.3, 1000, "soft");
  MaterialAssignment stiff = test::material("corotated", 1e8, 0.3, 1000, "stiff");
  for (Index t = 0; t < body.mesh.tet_count(); ++t) {
    double x = 0;
    for (int i = 0; i < 4; ++i) x += body.mesh.vertices(0, body.mesh.tets(i, t)) / 4;
    (two && x > 0 ? stiff : soft).tets.push_back(t);
  }
  body.materials = {soft};
  if (two) body.materials.push_back(stiff);
  FixSetup fix;
  fix.vertices = test::select_vertices(body.mesh, [](const Vec3& x) { return x[0] < -0.199; });
  if (pinned) body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
  setup.contact.enabled = false;
  return build_system(std::move(setup));
}

StepContext dynamic_context(const System& system) {
  StepContext context;
  context.prescribed.assign(3 * static_cast<std::size_t>(system.dynamic_count), 0);
  for (const PrescribedVertex& p : system.prescribed)
    for (int k = 0; k < 3; ++k) context.prescribed[3 * static_cast<std::size_t>(p.vertex) + k] = 1;
  return context;
}

std::vector<double> weights(const System& system) {
  std::vector<double> weight(system.tet_count());
  for (Index t = 0; t < system.tet_count(); ++t) weight[t] = system.tet_material[t] == 0 ? 1e-3 : 1;
  return weight;
}

// The momentum of a turning free body gives back its turning.
TEST(PartRotations, TurnAFreeBody) {
  const auto system = bar_of_parts(false, false);
  PartRotations rotations(*system);
  EXPECT_EQ(rotations.part_count(), 1);
  rotations.set(dynamic_context(*system), weights(*system));
  const Points x = system->rest.leftCols(system->dynamic_count);
  const Vec3 center = x.rowwise().mean(), omega(0.3, -0.5, 0.7);
  Points turning(3, x.cols()), q(3, x.cols()), r = Points::Zero(3, x.cols());
  for (Index i = 0; i < x.cols(); ++i) {
    turning.col(i) = omega.cross(Vec3(x.col(i) - center));
    q.col(i) = system->mass[i] * turning.col(i);
  }
  rotations.add(x, q, r);
  EXPECT_LT((r - turning).norm(), 1e-12 * turning.norm());
}

// Of two parts with a soft one between them and pins: symmetric, positive semidefinite, nothing where something is
// held.
TEST(PartRotations, AreSymmetricAndLeavePinsAlone) {
  const auto system = bar_of_parts(true, true);
  PartRotations rotations(*system);
  EXPECT_EQ(rotations.part_count(), 2);
  const StepContext context = dynamic_context(*system);
  rotations.set(context, weights(*system));
  const Index n = system->dynamic_count;
  const Points x = system->rest.leftCols(n);
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  const auto some = [&] {
    Points q(3, n);
    for (Index i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k)
        q(k, i) = context.prescribed[3 * static_cast<std::size_t>(i) + k] ? 0 : normal(random);
    return q;
  };
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Points a = some(), b = some();
    Points Ca = Points::Zero(3, n), Cb = Ca;
    rotations.add(x, a, Ca);
    rotations.add(x, b, Cb);
    EXPECT_NEAR(a.cwiseProduct(Cb).sum(), b.cwiseProduct(Ca).sum(), 1e-12 * Ca.norm() * b.norm());
    EXPECT_GT(a.cwiseProduct(Ca).sum(), 0);
    for (const PrescribedVertex& p : system->prescribed) EXPECT_EQ(Ca.col(p.vertex).norm(), 0);
  }
}

}  // namespace
}  // namespace sinew
