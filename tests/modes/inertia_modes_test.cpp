// Inertia modes against dense solutions of their definition.
#include "sinew/modes/inertia_modes.h"

#include "linalg/linalg_fixtures.h"
#include "modes/rest_bars.h"
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/modes/nonlinear_modes.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

using namespace test;

// K u = f - M R R^T f, R^T M u = 0, by the bordered system.
MatX bordered(const RestBody& body, const MatX& f) {
  std::vector<Index> free;
  for (Index c = 0; c < body.size(); ++c)
    if (!body.is_fixed(c)) free.push_back(c);
  const auto n = static_cast<Index>(free.size()), r = static_cast<Index>(body.rigid().cols());
  const MatX K = body.multiply(MatX::Identity(body.size(), body.size()))(free, free);
  const MatX MR = (body.mass().asDiagonal() * body.rigid())(free, Eigen::all);
  const double scale = r > 0 ? K.diagonal().mean() / MR.cwiseAbs().maxCoeff() : 1.0;
  MatX A = MatX::Zero(n + r, n + r), b = MatX::Zero(n + r, f.cols());
  A.topLeftCorner(n, n) = K;
  A.topRightCorner(n, r) = scale * MR;
  A.bottomLeftCorner(r, n) = scale * MR.transpose();
  b.topRows(n) = f(free, Eigen::all);
  const MatX x = A.fullPivLu().solve(b);
  MatX u = MatX::Zero(f.rows(), f.cols());
  for (Index i = 0; i < n; ++i) u.row(free[i]) = x.row(i);
  return u;
}

class Bars : public testing::TestWithParam<Held> {};

TEST_P(Bars, AreSolvedAtRest) {
  const auto system = two_bars(GetParam());
  std::vector<RestBody> bodies = rest_bodies(*system, prescribed(*system));
  ASSERT_EQ(bodies.size(), 2u);
  const std::vector<Index> motions = {GetParam() == Held::nowhere ? 6 : GetParam() == Held::at_an_end ? 0 : 3, 6};
  for (int b = 0; b < 2; ++b) {
    RestBody& body = bodies[b];
    const MatX& R = body.rigid();
    EXPECT_EQ(R.cols(), motions[b]);
    EXPECT_LT((R.transpose() * body.mass().asDiagonal() * R - MatX::Identity(R.cols(), R.cols())).norm(), 1e-12);
    const double stiffness = body.multiply(MatX::Identity(body.size(), body.size())).norm();
    EXPECT_LT(body.multiply(R).norm(), 1e-12 * stiffness * R.norm() + 1e-300);
    MatX f = MatX::Random(body.size(), 3);
    body.set_fixed_to_zero(f);
    const MatX expected = bordered(body, f);
    EXPECT_LT((body.solve(f) - expected).norm(), 1e-8 * expected.norm());
  }
}

TEST_P(Bars, HaveOrthonormalInertiaModesWithTheirQuotients) {
  const auto system = two_bars(GetParam());
  const std::vector<char> fixed = prescribed(*system);
  std::vector<RestBody> bodies = rest_bodies(*system, fixed);
  const Index count = 40;
  const ModeSet modes = inertia_modes(*system, fixed, count);
  ASSERT_EQ(modes.values.size(), count);
  EXPECT_TRUE(std::is_sorted(modes.values.begin(), modes.values.end()));
  VecX mass(3 * system->dynamic_count);
  for (Index i = 0; i < mass.size(); ++i) mass[i] = system->mass[i / 3];
  const MatX gram = modes.vectors.transpose() * mass.asDiagonal() * modes.vectors;
  EXPECT_LT((gram - MatX::Identity(count, count)).norm(), 1e-9);
  // Rigid motions are not among them.
  for (RestBody& body : bodies) {
    MatX part(body.size(), count);
    for (std::size_t v = 0; v < body.vertices().size(); ++v)
      part.middleRows(3 * static_cast<Index>(v), 3) = modes.vectors.middleRows(3 * body.vertices()[v], 3);
    EXPECT_LT((body.rigid().transpose() * body.mass().asDiagonal() * part).norm(), 1e-8);
    const MatX stiff = part.transpose() * body.multiply(part);
    for (Index k = 0; k < count; ++k) {
      if (part.col(k).isZero(0)) continue;
      EXPECT_NEAR(stiff(k, k), modes.values[k], 1e-9 * modes.values[k]);
    }
  }
}

// Two orders span K^+ M U^(0) and (K^+ M)^2 U^(0), whatever of the rigid motions is held.
TEST_P(Bars, HaveInertiaModesThatSpanTheKrylovSpace) {
  const auto system = bars(GetParam(), 1);
  const std::vector<char> fixed = prescribed(*system);
  RestBody body = std::move(rest_bodies(*system, fixed)[0]);
  // The six rigid motions; and the rest of the polynomials of degree two, where some are allowed.
  MatX start = body.turns_and_shifts();
  const Points& X = body.rest();
  if (GetParam() != Held::at_an_end) {
    start.conservativeResize(body.size(), 6 + 27);
    start.rightCols(27).setZero();
    for (Index v = 0; v < X.cols(); ++v)
      for (int k = 0, f = 6; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
          start(3 * v + k, f++) = X(i, v);
          for (int j = i; j < 3; ++j) start(3 * v + k, f++) = X(i, v) * X(j, v);
        }
    body.set_fixed_to_zero(start);
  }
  const MatX first = body.solve(body.mass().asDiagonal() * start),
             second = body.solve(body.mass().asDiagonal() * first);
  MatX both(body.size(), 2 * start.cols());
  both << first, second;

  const Index order = GetParam() == Held::at_an_end ? 6 : GetParam() == Held::nowhere ? 24 : 27;
  const MatX all = inertia_modes(*system, fixed, 2 * order).vectors;
  ASSERT_EQ(all.cols(), 2 * order);
  MatX U(body.size(), all.cols());
  for (std::size_t v = 0; v < body.vertices().size(); ++v)
    U.middleRows(3 * static_cast<Index>(v), 3) = all.middleRows(3 * body.vertices()[v], 3);
  const auto outside = [&](const MatX& basis, const MatX& columns) {
    return MatX(columns - basis * (basis.transpose() * (body.mass().asDiagonal() * columns)));
  };
  const MatX bending = outside(body.rigid(), start), left = outside(U, both);
  for (Index c = 0; c < both.cols(); ++c) {
    const Index of_start = c % static_cast<Index>(start.cols());
    if (bending.col(of_start).norm() < 1e-8 * start.col(of_start).norm()) continue;  // an allowed motion
    EXPECT_LT(left.col(c).norm(), 1e-6 * both.col(c).norm()) << c;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Bars, testing::Values(Held::nowhere, Held::at_an_end, Held::along_one_axis));

// The Ritz values of two orders, from the linear and quadratic displacements of a free bar, hold its six lowest
// frequencies within 1 %.
TEST(InertiaModes, HoldTheLowestFrequencies) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("bar", make_box(Vec3(1, 0.2, 0.15), {10, 3, 3}), test::material("neo_hookean", 1e5, 0.4, 900)));
  const auto system = build_system(std::move(setup));
  const std::vector<char> fixed(3 * static_cast<std::size_t>(system->dynamic_count), 0);
  std::vector<RestBody> bodies = rest_bodies(*system, fixed);
  RestBody& body = bodies[0];
  const MatX K = body.multiply(MatX::Identity(body.size(), body.size()));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> all(K, MatX(body.mass().asDiagonal()), Eigen::EigenvaluesOnly);
  for (const bool reduced : {false, true}) {
    InertiaOptions options;
    options.orthogonal.reduced = reduced;
    const MatX U = inertia_modes(*system, fixed, 2 * 27 - 6, options).vectors;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> ritz(U.transpose() * K * U,
                                                              U.transpose() * body.mass().asDiagonal() * U);
    for (Index k = 0; k < 6; ++k)
      EXPECT_NEAR(std::sqrt(ritz.eigenvalues()[k] / all.eigenvalues()[6 + k]), 1, 0.01) << reduced << " " << k;
  }
}

// Modes of the named displacements span K^-1 M of these (EP, equation 2).
TEST(InertiaModes, FollowTheirStart) {
  const auto system = bars(Held::at_an_end, 1);
  const std::vector<char> fixed = prescribed(*system);
  RestBody body = std::move(rest_bodies(*system, fixed)[0]);
  const auto outside = [&](const MatX& U, const MatX& columns) {
    return MatX(columns - U * (U.transpose() * (body.mass().asDiagonal() * columns))).norm() / columns.norm();
  };
  const MatX motions = body.turns_and_shifts();
  const std::vector<std::string>& names = inertia_starts();
  for (Index k = 0; k < 6; ++k) {
    const MatX start = inertia_start(body, {names[static_cast<std::size_t>(k)]});
    EXPECT_EQ(start, motions.col(k)) << names[static_cast<std::size_t>(k)];
  }
  const InertiaOptions across{{"y", "z"}, {}};
  const BodyModes two = inertia_modes_of(body, 2, across);
  EXPECT_LT(outside(two.vectors, body.solve(body.mass().asDiagonal() * motions.middleCols(1, 2))), 1e-9);
  EXPECT_GT(outside(two.vectors, body.solve(body.mass().asDiagonal() * motions.col(0))), 0.5);
  EXPECT_EQ(inertia_start(body, {"linear"}).cols(), 9);
  EXPECT_EQ(inertia_start(body, {"quadratic", "x"}).cols(), 19);
  // Four orders of two modes.
  EXPECT_EQ(inertia_modes_of(body, 8, across).vectors.cols(), 8);
}

// A body that moves freely needs a start with strain.
TEST(InertiaModes, RigidStartsOfAFreeBodyAreAnError) {
  const auto system = bars(Held::nowhere, 1);
  const std::vector<char> fixed = prescribed(*system);
  RestBody body = std::move(rest_bodies(*system, fixed)[0]);
  try {
    inertia_start(body, {"x", "rz"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "body 'soft': found the start x,rz of inertia modes, with which it moves without strain; expected "
              "\"linear\" or \"quadratic\" too, or a body that is held");
  }
  const MatX U = inertia_start(body, {"x", "linear"});
  EXPECT_EQ(U.cols(), 6);  // nine without turns; the shift is one of the allowed motions
  EXPECT_LT((body.rigid().transpose() * body.mass().asDiagonal() * U).norm(), 1e-9 * U.norm());
  // Of a body that is held along one axis, shifts across it are motions without strain.
  const auto guided = bars(Held::along_one_axis, 1);
  RestBody other = std::move(rest_bodies(*guided, prescribed(*guided))[0]);
  EXPECT_EQ(inertia_start(other, {"x", "y", "z"}).cols(), 1);
}

// Sampled products: the modes and derivatives of a body's exact ones, nearly.
TEST(InertiaModes, SampledProductsServeDerivatives) {
  const auto system = bars(Held::at_an_end, 1);
  const std::vector<char> fixed = prescribed(*system);
  NonlinearModeOptions options;
  options.basis = LinearBasis::inertia;
  options.linear = 6;
  const ModeSet exact = nonlinear_modes(*system, fixed, 10, options);
  options.inertia.orthogonal = {.reduced = true, .least_cosine = 0.1};
  const ModeSet sampled = nonlinear_modes(*system, fixed, 10, options);
  ASSERT_EQ(sampled.values.size(), 10);
  EXPECT_LT((sampled.values - exact.values).norm(), 1e-3 * exact.values.norm());
}

TEST(InertiaModes, MoreThanThereAreIsAnError) {
  const auto system = two_bars(Held::nowhere);
  EXPECT_THROW(inertia_modes(*system, prescribed(*system), 3 * system->dynamic_count - 11), InputError);
}

// Reduced products against exact ones: the same space, and modes that are nearly orthogonal.
TEST(InertiaModes, ReducedProductsAreNearlyExact) {
  const auto system = two_bars(Held::at_an_end);
  const std::vector<char> fixed = prescribed(*system);
  RestBody body = std::move(rest_bodies(*system, fixed)[0]);
  MatX U(body.size(), 0);
  MassGramSchmidt orthogonal(body.rest(), body.mass(), 18, {.reduced = true});
  EXPECT_EQ(orthogonal.sample().size(), body.vertices().size());  // of so few each stands for itself
  EXPECT_NEAR(orthogonal.sample_mass().sum(), body.mass().sum() / 3, 1e-12 * body.mass().sum());
  MatX last = body.turns_and_shifts();
  for (int order = 0; order < 3; ++order) {
    last = body.solve(body.mass().asDiagonal() * last);
    orthogonal.append(last, 18, U);
    last = U.rightCols(6);
  }
  ASSERT_EQ(U.cols(), 18);
  const MatX gram = U.transpose() * body.mass().asDiagonal() * U;
  EXPECT_LT((gram.diagonal().array() - 1).abs().maxCoeff(), 1e-12);
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(gram);
  EXPECT_GT(eigen.eigenvalues()[0], 0.3);
  // What depends on the others is left out.
  const MatX again = U * MatX::Random(18, 4);
  orthogonal.append(again, 100, U);
  EXPECT_LE(U.cols(), 18 + 4);
  MassGramSchmidt exact(body.rest(), body.mass(), 18);
  MatX V(body.size(), 0);
  exact.append(U.leftCols(18), 18, V);
  exact.append(again, 100, V);
  EXPECT_EQ(V.cols(), 18);
}

}  // namespace
}  // namespace sinew
