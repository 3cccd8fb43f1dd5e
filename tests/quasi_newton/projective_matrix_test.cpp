// The matrix of Projective Dynamics against its definition, and its inverse against the matrix.
#include "sinew/quasi_newton/projective_matrix.h"

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/mesh/quality.h"
#include "sinew/model/edit.h"

namespace sinew {
namespace {

constexpr double mu = 2e4, density = 1000;

sinew::Setup bar(bool axes = false) {
  sinew::Setup setup;
  MaterialAssignment material;
  material.name = "m";
  material.model = shared_material_model("arap");
  material.parameters = material.model->resolve({{"mu", {mu}}});
  material.density = {density};
  BodySetup body;
  body.name = "bar";
  body.mesh = make_box({0.4, 0.1, 0.1}, {6, 2, 2});
  body.materials = {material};
  const auto end = test::select_vertices(body.mesh, [](const Vec3& x) { return x[0] < -0.199; });
  FixSetup fix;
  fix.vertices = end;
  fix.axes = {true, true, !axes};
  body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
  setup.contact.enabled = false;
  return setup;
}

StepContext context_of(const System& system, double scale) {
  StepContext context;
  context.step = context.reference_step = 0.01;
  context.scale = scale;
  context.prescribed.assign(3 * static_cast<std::size_t>(system.dynamic_count), 0);
  for (const PrescribedVertex& p : system.prescribed)
    for (int k = 0; k < 3; ++k) context.prescribed[3 * static_cast<std::size_t>(p.vertex) + k] = p.axes[k];
  return context;
}

// A u by the definition: for each axis m u + a h^2 sum V k G^T (G u), k = 2 mu of arap, and springs.
Points times(const System& system, const StepContext& context, const Points& u) {
  Points result = Points::Zero(3, u.cols());
  for (Index i = 0; i < system.dynamic_count; ++i) result.col(i) = system.mass[i] * u.col(i);
  for (Index t = 0; t < system.tet_count(); ++t) {
    Mat3 D, d;
    for (int k = 0; k < 3; ++k) {
      D.col(k) = system.rest.col(system.tets(k + 1, t)) - system.rest.col(system.tets(0, t));
      d.col(k) = u.col(system.tets(k + 1, t)) - u.col(system.tets(0, t));
    }
    const Mat3 forces =
        context.scale * 2 * mu * tet_volume(system.rest, system.tets, t) * d * D.inverse() * D.inverse().transpose();
    for (int k = 0; k < 3; ++k) {
      result.col(system.tets(k + 1, t)) += forces.col(k);
      result.col(system.tets(0, t)) -= forces.col(k);
    }
  }
  for (const Spring& spring : system.springs)
    result.col(spring.vertex) += context.scale * spring.stiffness * u.col(spring.vertex);
  return result;
}

Points some(const System& system, const StepContext& context) {
  Points b(3, system.dynamic_count);
  for (Index i = 0; i < b.cols(); ++i)
    for (int k = 0; k < 3; ++k)
      b(k, i) = context.prescribed[3 * static_cast<std::size_t>(i) + k] ? 0 : std::sin(1.0 + 7 * i + 3 * k);
  return b;
}

// A x = b at the free coordinates, x = 0 at the others; solves are in single precision.
void expect_inverse(ProjectiveMatrix& matrix, const System& system, const StepContext& context) {
  ASSERT_TRUE(matrix.update(context));
  const Points b = some(system, context);
  Points x;
  matrix.solve(b, x);
  const Points Ax = times(system, context, x);
  double error = 0;
  for (Index i = 0; i < b.cols(); ++i)
    for (int k = 0; k < 3; ++k) {
      if (context.prescribed[3 * static_cast<std::size_t>(i) + k]) {
        EXPECT_EQ(x(k, i), 0);
      } else {
        error = std::max(error, std::abs(Ax(k, i) - b(k, i)));
      }
    }
  EXPECT_LT(error, 1e-4);
}

TEST(ProjectiveMatrix, IsThatOfItsDefinition) {
  for (const bool axes : {false, true}) {
    const auto system = build_system(bar(axes));
    ProjectiveMatrix matrix(*system, 0.5, 1.5);
    for (const double scale : {1e-4, 4e-5}) expect_inverse(matrix, *system, context_of(*system, scale));
    EXPECT_EQ(matrix.factorizations(), axes ? 4 : 2);
    ASSERT_TRUE(matrix.update(context_of(*system, 4e-5)));
    EXPECT_EQ(matrix.factorizations(), axes ? 4 : 2);  // nothing has changed
  }
}

TEST(ProjectiveMatrix, MovesWhatIsPrescribedToTheOtherSide) {
  const auto system = build_system(bar());
  const StepContext context = context_of(*system, 1e-4);
  ProjectiveMatrix matrix(*system, 0.5, 1.5);
  ASSERT_TRUE(matrix.update(context));
  Points d = Points::Zero(3, system->dynamic_count), b = Points::Zero(3, system->dynamic_count);
  for (const PrescribedVertex& p : system->prescribed) d.col(p.vertex) = Vec3(1, -2, 0.5);
  matrix.subtract_prescribed(d, b);
  EXPECT_LT((b + times(*system, context, d)).norm(), 1e-12 * b.norm());
}

// Matrices of copies hold one factor until their materials differ; solves of both have the same bits.
TEST(ProjectiveMatrix, IsSharedByCopies) {
  const auto system = build_system(bar());
  const StepContext context = context_of(*system, 1e-4), other = context_of(*system, 4e-5);
  ProjectiveMatrix first(*system, 0.5, 1.5);
  ProjectiveMatrix second(*system, 0.5, 1.5, first.shared());
  ASSERT_TRUE(first.update(context));
  ASSERT_TRUE(second.update(context));
  EXPECT_EQ(first.factorizations(), 1);
  EXPECT_EQ(second.factorizations(), 0);
  EXPECT_EQ(&first.weights(), &second.weights());
  Points x, y;
  first.solve(some(*system, context), x);
  second.solve(some(*system, context), y);
  EXPECT_EQ(x, y);
  ASSERT_TRUE(second.update(other));  // another step size
  EXPECT_EQ(second.factorizations(), 1);
  expect_inverse(first, *system, context);
  second.forget_materials();
  ASSERT_TRUE(second.update(context));
  EXPECT_EQ(second.factorizations(), 2);
  EXPECT_NE(&first.weights(), &second.weights());
  expect_inverse(second, *system, context);
  EXPECT_EQ(first.factorizations(), 1);
}

// Pulls of any stiffness come without another factor.
TEST(ProjectiveMatrix, KnowsPulls) {
  const auto system = build_system(bar());
  const StepContext context = context_of(*system, 1e-4);
  ProjectiveMatrix matrix(*system, 0.5, 1.5);
  expect_inverse(matrix, *system, context);
  Index free = 0;
  for (Index i = 0; i < system->dynamic_count; ++i)
    if (system->rest(0, i) > 0.199) free = i;
  for (const double stiffness : {1.0, 1e3, 1e6}) {
    apply(*system, PullEdit{{0, 1}, Pull{free, Vec3::Zero(), stiffness}});
    apply(*system, PullEdit{{0, 2}, Pull{free - 1, Vec3::Zero(), 3 * stiffness}});
    expect_inverse(matrix, *system, context);
  }
  for (const int id : {1, 2}) apply(*system, PullEdit{{0, id}, {}});
  expect_inverse(matrix, *system, context);
  EXPECT_EQ(matrix.factorizations(), 1);
}

TEST(ProjectiveMatrix, OfStaticsWithoutPinsIsRefused) {
  sinew::Setup setup = bar();
  setup.bodies[0].fixes.clear();
  const auto system = build_system(std::move(setup));
  StepContext context = context_of(*system, 1);
  context.inertia = false;
  ProjectiveMatrix matrix(*system, 0.5, 1.5);
  EXPECT_FALSE(matrix.update(context));
}

}  // namespace
}  // namespace sinew
