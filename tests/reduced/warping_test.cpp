// Modal warping: the warp and its derivatives by themselves, turns of modes, and the energy of warped positions against
// differences.
#include "sinew/reduced/warping.h"

#include <cmath>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/reduced/reduced_model.h"

namespace sinew::warping_test {

// R(w) u is the integral of exp(s [w]x) u over s, by three Gauss-Legendre points in each of many pieces.
Vec3 by_quadrature(const Vec3& w, const Vec3& u) {
  const double node[] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  Vec3 sum = Vec3::Zero();
  constexpr int pieces = 200;
  for (int p = 0; p < pieces; ++p)
    for (int k = 0; k < 3; ++k) {
      const double s = (p + 0.5 + 0.5 * node[k]) / pieces;
      const double angle = s * w.norm();
      const Vec3 axis = w.norm() > 0 ? Vec3(w / w.norm()) : Vec3::UnitX();
      sum += weight[k] / pieces * (Eigen::AngleAxisd(angle, axis) * u);
    }
  return sum;
}

TEST(Warping, IsTheMeanOfTheRotationsOnTheWay) {
  std::srand(1);
  for (const double size : {0.0, 1e-9, 1e-4, 0.1, 0.999, 1.001, 3.0, 7.0}) {
    const Vec3 w = size * Vec3::Random().normalized(), u = Vec3::Random();
    EXPECT_LT((warp(w, u).place - by_quadrature(w, u)).norm(), 1e-12) << size;
    EXPECT_LT((warp(w, u).place - warp_place(w, u)).norm(), 1e-15 * (1 + size));
    EXPECT_LT((warp(w, u).turn * u - warp(w, u).place).norm(), 1e-14 * (1 + size));
  }
}

TEST(Warping, DerivativeByTheTurnMatchesDifferences) {
  std::srand(2);
  for (const double size : {0.0, 1e-3, 0.5, 0.999999, 1.000001, 2.0, 6.0}) {
    const Vec3 w = size * Vec3::Random().normalized(), u = Vec3::Random();
    const Mat3 J = warp(w, u).by_turn;
    constexpr double e = 1e-5;
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = e * Vec3::Unit(k);
      const Vec3 difference = (warp_place(w + d, u) - warp_place(w - d, u)) / (2 * e);
      EXPECT_LT((difference - J.col(k)).norm(), 1e-9) << size;
    }
  }
}

sinew::Setup bars(bool damped) {
  sinew::Setup setup;
  for (const char* name : {"free", "held"})
    setup.bodies.push_back(test::body(name, make_box(Vec3(1, 0.25, 0.2), {6, 2, 2}),
                                      test::material("stable_neo_hookean", 1e5, 0.4),
                                      Vec3(0, name[0] == 'h' ? -1.0 : 0, 0)));
  FixSetup fix;
  fix.vertices = test::select_vertices(setup.bodies[1].mesh, [](const Vec3& x) { return x[0] < -0.499; });
  setup.bodies[1].fixes.push_back(fix);
  for (BodySetup& body : setup.bodies) {
    body.damping_mass = damped ? 0.7 : 0;
    body.damping_stiffness = damped ? 0.05 : 0;
    SpringSetup spring;
    spring.vertices = {3, 7};
    spring.point = Vec3(0.9, 0.8, 0.7);
    spring.stiffness = 30;
    spring.length = 0.2;
    body.springs.push_back(spring);
  }
  setup.contact.enabled = false;
  setup.solver.method = "reduced";
  setup.solver.subspace = "linear";
  setup.solver.warping = true;
  setup.solver.handles = 6;
  return setup;
}

// A field of displacements that turns the body slowly has that turn.
TEST(Warping, TurnsOfAffineModesAreHalfOfTheirCurl) {
  const auto system = build_system(bars(false));
  const Index n = system->dynamic_count;
  Mat3 A;
  A << 0.1, -0.7, 0.2, 0.3, -0.2, 0.5, 0.4, 0.6, 0.3;
  MatX modes(3 * n, 1);
  for (Index v = 0; v < n; ++v) modes.col(0).segment<3>(3 * v) = A * system->rest.col(v);
  const MatX turns = mode_turns(*system, modes);
  const Vec3 expected = 0.5 * Vec3(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
  for (Index v = 0; v < n; ++v) EXPECT_LT((turns.col(0).segment<3>(3 * v) - expected).norm(), 1e-13);
}

// Gradient of all that a step minimises, in positions that float and that are held, and the directions it gives.
TEST(Warping, GradientMatchesDifferences) {
  for (const bool damped : {false, true}) {
    const auto system = build_system(bars(damped));
    const ReducedModel model = make_reduced_model(*system, 0);
    Kinematics& kinematics = *model.kinematics;
    ASSERT_EQ(model.points->slot_count(), 0);
    ASSERT_TRUE(kinematics.is_curved());
    std::srand(3);
    MatX y = MatX::Zero(kinematics.rows(), 1), rest = y;
    const MatX way = MatX::Random(kinematics.unknown_rows(), 1);
    kinematics.move(rest, way, 1.3, y);
    CoordinateStep step;
    step.step = step.reference_step = 0.01;
    step.scale = 0.3;
    step.predictor = y + 0.02 * MatX::Random(y.rows(), 1);
    step.reference = y + 0.02 * MatX::Random(y.rows(), 1);
    model.begin_step(step, y);
    MatX by_y, g = MatX::Zero(kinematics.unknown_rows(), 1), moved = y;
    model.gradient(y, by_y, g);
    const auto value = [&](const MatX& d, double t) {
      kinematics.move(y, d, t, moved);
      return model.value(moved);
    };
    for (int k = 0; k < 10; ++k) {
      const MatX b = MatX::Random(kinematics.unknown_rows(), 1);
      constexpr double e = 1e-4;
      EXPECT_NEAR((value(b, e) - value(b, -e)) / (2 * e), g.cwiseProduct(b).sum(), 1e-6 * g.norm() * b.norm());
    }
    const auto H = kinematics.make_hessian();
    model.begin_hessian(y, nullptr, Projection::psd, *H);  // with the curvature it may be indefinite
    ASSERT_TRUE(H->factor());
    MatX d = g;
    H->solve(g, d);
    EXPECT_LT(g.cwiseProduct(d).sum(), 0);
  }
}

// Lifted velocities are the derivatives of lifted positions.
TEST(Warping, MotionsAreDerivativesOfPlaces) {
  const auto system = build_system(bars(false));
  const ReducedModel model = make_reduced_model(*system, 0);
  Kinematics& kinematics = *model.kinematics;
  std::srand(5);
  MatX y = MatX::Zero(kinematics.rows(), 1), rest = y, ahead = y, behind = y;
  kinematics.move(rest, MatX::Random(kinematics.unknown_rows(), 1), 1, y);
  const MatX d = MatX::Random(kinematics.unknown_rows(), 1);
  constexpr double e = 1e-5;
  kinematics.move(y, d, e, ahead);
  kinematics.move(y, d, -e, behind);
  Points before, after, moved;
  kinematics.lift(ahead, after);
  kinematics.lift(behind, before);
  kinematics.lift_motion(y, (ahead - behind) / (2 * e), moved);
  EXPECT_LT((moved - (after - before) / (2 * e)).colwise().norm().maxCoeff(), 1e-8);
}

}  // namespace sinew::warping_test
