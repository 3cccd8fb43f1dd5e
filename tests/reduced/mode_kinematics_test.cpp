// The energy of positions in frames: gradient and Hessian along the curved set against differences.
#include <cmath>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/reduced/reduced_model.h"

namespace sinew::mode_kinematics_test {

// A bar that floats and one that is held, joined by a spring with a rest length, with springs to points, a load,
// gravity and damping.
sinew::Setup two_bars() {
  sinew::Setup setup;
  for (const char* name : {"free", "held"})
    setup.bodies.push_back(test::body(name, make_box(Vec3(1, 0.25, 0.2), {4, 1, 1}),
                                      test::material("stable_neo_hookean", 1e5, 0.4),
                                      Vec3(0, name[0] == 'h' ? -1.0 : 0, 0)));
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[1].mesh, [](const Vec3& x) { return x[0] < -0.499; });
  setup.bodies[1].fixes.push_back(fix);
  for (BodySetup& body : setup.bodies) {
    body.damping_mass = 0.7;
    for (const double length : {0.0, 0.2}) {
      SpringSetup spring;
      spring.vertices = {3, 7};
      spring.point = Vec3(0.9, 0.8, 0.7);
      spring.stiffness = 30;
      spring.length = length;
      body.springs.push_back(spring);
    }
  }
  setup.contact.enabled = false;
  setup.solver.method = "reduced";
  setup.solver.subspace = "linear";
  setup.solver.cubature_rule = "all";
  setup.solver.handles = 5;
  return setup;
}

TEST(ModeKinematics, DerivativesMatchDifferences) {
  const auto system = build_system(two_bars());
  const ReducedModel model = make_reduced_model(*system, 0);
  Kinematics& kinematics = *model.kinematics;
  ASSERT_TRUE(kinematics.is_curved());
  ASSERT_EQ(kinematics.unknown_rows(), 6 + 5 + 5);
  std::srand(3);
  // A position far from rest, and a predictor and a reference that are none.
  MatX y = MatX::Zero(kinematics.rows(), 1), rest = y;
  const MatX way = MatX::Random(kinematics.unknown_rows(), 1);
  kinematics.move(rest, way, 1.3, y);
  CoordinateStep step;
  step.step = step.reference_step = 0.01;
  step.scale = 0.3;  // so that no term is lost beside inertia
  step.predictor = y + 0.02 * MatX::Random(y.rows(), 1);
  step.reference = y + 0.02 * MatX::Random(y.rows(), 1);
  model.begin_step(step, y);
  MatX by_y, g = MatX::Zero(kinematics.unknown_rows(), 1), moved = y;
  model.gradient(y, by_y, g);
  const auto value = [&](const MatX& d, double t) {
    kinematics.move(y, d, t, moved);
    return model.value(moved);
  };
  // Without elasticity nothing of the Hessian is projected: the springs are stretched.
  const auto H = kinematics.make_hessian();
  model.begin_hessian(y, &by_y, Projection::none, *H);
  ASSERT_TRUE(H->factor());
  for (int k = 0; k < 10; ++k) {
    const MatX b = MatX::Random(kinematics.unknown_rows(), 1);
    const double e = 1e-4;
    const double slope = (value(b, e) - value(b, -e)) / (2 * e);
    EXPECT_NEAR(slope, g.cwiseProduct(b).sum(), 1e-6 * g.norm() * b.norm());
    MatX d = b;
    H->solve(-b, d);  // H d = b, so that d^T H d = d^T b
    d /= d.norm();
    MatX Hd = b;
    H->solve(-b, Hd);
    const double expected = b.cwiseProduct(d).sum() / Hd.norm();
    const double second = (value(d, e) - 2 * value(d, 0) + value(d, -e)) / (e * e);
    EXPECT_NEAR(second, expected, 1e-4 * std::abs(expected) + 1e-5);
  }
}

}  // namespace sinew::mode_kinematics_test
