// Derivatives of modes: against differences of stiffness, and by the solutions that they are made for.
#include "sinew/modes/nonlinear_modes.h"

#include "modes/rest_bars.h"
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/modes/mode_derivatives.h"
#include "sinew/modes/mode_reduction.h"
#include "sinew/modes/quadratic_modes.h"
#include "sinew/potential/linear_tet_energy.h"

namespace sinew {
namespace {

using namespace test;

MatX full(const System& system, const RestBody& body, const MatX& u) {
  MatX all = MatX::Zero(3 * system.dynamic_count, u.cols());
  for (std::size_t v = 0; v < body.vertices().size(); ++v)
    all.middleRows(3 * body.vertices()[v], 3) = u.middleRows(3 * static_cast<Index>(v), 3);
  return all;
}

MatX part(const RestBody& body, const MatX& all) {
  MatX u(body.size(), all.cols());
  for (std::size_t v = 0; v < body.vertices().size(); ++v)
    u.middleRows(3 * static_cast<Index>(v), 3) = all.middleRows(3 * body.vertices()[v], 3);
  body.set_fixed_to_zero(u);
  return u;
}

VecX elastic_force(const System& system, const VecX& u) {
  const LinearTetEnergy elastic(system.rest, system.tets, system.groups, system.dynamic_count);
  Points x = system.rest, g = Points::Zero(3, system.dynamic_count);
  x.leftCols(system.dynamic_count) += Eigen::Map<const Points>(u.data(), 3, system.dynamic_count);
  elastic.add_gradient(x, 1, g);
  return Eigen::Map<const VecX>(g.data(), g.size());
}

// A body of fibers and stiffnesses that vary from tet to tet, beside the bars of rest_bars.h.
std::shared_ptr<const System> fibered_bar(Held held) {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3(1, 0.2, 0.15), {6, 2, 2});
  MaterialAssignment material = test::material("neo_hookean", 1e5, 0.4, 900);
  std::vector<double> young, poisson;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    young.push_back(1e5 * (1 + 0.3 * std::sin(t)));
    poisson.push_back(0.4);
  }
  material.parameters = material.model->resolve({{"young", young}, {"poisson", poisson}});
  material.fiber_stiffness = {2e5};
  material.fiber_direction = Vec3(1, 2, -1).normalized();
  BodySetup body = test::body("bar", mesh, material);
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.49; });
  if (held == Held::along_one_axis) fix.axes = {true, false, false};
  if (held != Held::nowhere) body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
  return build_system(std::move(setup));
}

class NonlinearModes : public testing::TestWithParam<Held> {};

// f(s u + t v) in second order: (H : u) v is its mixed derivative, here by differences of fourth order.
TEST_P(NonlinearModes, LoadsAreDerivativesOfForces) {
  for (const auto& system : {two_bars(GetParam()), fibered_bar(GetParam())}) {
    for (const RestBody& body : rest_bodies(*system, prescribed(*system))) {
      MatX W = 0.02 * MatX::Random(body.size(), 3);
      body.set_fixed_to_zero(W);
      const std::pair<Index, Index> pairs[] = {{0, 0}, {0, 1}, {2, 1}, {1, 2}, {2, 2}, {1, 1}, {0, 2}, {0, 1}, {1, 0}};
      const StiffnessChange change(*system, body);
      const MatX loads = change.loads(W, pairs);
      EXPECT_LT((loads.col(2) - loads.col(3)).norm(), 1e-13 * loads.col(2).norm());
      const MatX U = full(*system, body, W);
      for (int k = 0; k < 9; ++k) {
        const VecX a = U.col(pairs[k].first), b = U.col(pairs[k].second);
        const auto mixed = [&](double h) {
          return VecX((elastic_force(*system, h * (a + b)) - elastic_force(*system, h * (a - b)) -
                       elastic_force(*system, h * (b - a)) + elastic_force(*system, -h * (a + b))) /
                      (4 * h * h));
        };
        const double h = 0.01;
        const VecX expected = (4 * mixed(h) - mixed(2 * h)) / 3;
        EXPECT_LT((loads.col(k) - part(body, expected)).norm(), 1e-5 * expected.norm()) << k;
      }
    }
  }
}

// The static answer to the load t K u is t u - t^2 / 2 v + O(t^3) with v = K^+ (H : u) u: what a derivative adds to its
// mode leaves a residual of third order.
TEST_P(NonlinearModes, DerivativesFollowLargeMotions) {
  const auto system = two_bars(GetParam());
  RestBody body = std::move(rest_bodies(*system, prescribed(*system))[0]);
  MatX f = MatX::Random(body.size(), 2);
  body.set_fixed_to_zero(f);
  const MatX U = body.solve(f);
  const MatX V = mode_derivatives(body, StiffnessChange(*system, body), U);
  ASSERT_EQ(V.cols(), 3);
  const VecX u = U.col(0) + 0.5 * U.col(1), v = V.col(0) + V.col(1) + 0.25 * V.col(2);
  // Rigid motions may take what they like of the load.
  const auto balanced = [&](VecX r) {
    const MatX MR = body.mass().asDiagonal() * body.rigid();
    return VecX(r - MR * (body.rigid().transpose() * r));
  };
  const VecX load = body.multiply(u);
  const auto residual = [&](double t, double quadratic) {
    const VecX x = t * u - quadratic * t * t / 2 * v;
    return balanced(part(body, elastic_force(*system, full(*system, body, x))) - t * load).norm();
  };
  const double t = 0.02 / U.cwiseAbs().maxCoeff();
  EXPECT_NEAR(std::log2(residual(2 * t, 1) / residual(t, 1)), 3, 0.2);
  EXPECT_NEAR(std::log2(residual(2 * t, 0) / residual(t, 0)), 2, 0.2);
}

TEST_P(NonlinearModes, AreOrthonormalAndVibrate) {
  const auto system = two_bars(GetParam());
  const std::vector<char> fixed = prescribed(*system);
  VecX mass(3 * system->dynamic_count);
  for (Index i = 0; i < mass.size(); ++i) mass[i] = system->mass[i / 3];
  for (const LinearBasis basis : {LinearBasis::vibration, LinearBasis::inertia})
    for (const char* reduction : {"pca", "random"})
      for (const int order : {1, 2}) {
        NonlinearModeOptions options;
        options.basis = basis;
        options.reduction = reduction;
        options.order = order;
        options.linear = order == 2 ? 3 : 0;
        const ModeSet modes = nonlinear_modes(*system, fixed, 12, options);
        ASSERT_EQ(modes.values.size(), 12);
        EXPECT_TRUE(std::is_sorted(modes.values.begin(), modes.values.end()));
        EXPECT_GT(modes.values[0], 0);
        const MatX gram = modes.vectors.transpose() * mass.asDiagonal() * modes.vectors;
        EXPECT_LT((gram - MatX::Identity(12, 12)).norm(), 1e-9);
        for (std::size_t c = 0; c < fixed.size(); ++c)
          if (fixed[c]) EXPECT_EQ(modes.vectors.row(static_cast<Index>(c)).cwiseAbs().maxCoeff(), 0);
      }
}

INSTANTIATE_TEST_SUITE_P(All, NonlinearModes, testing::Values(Held::nowhere, Held::at_an_end, Held::along_one_axis));

TEST(NonlinearModes, LinearModesOfATable) {
  EXPECT_EQ(linear_mode_count(30), 12);  // EP, table 1: 12 + 78 = 90
  EXPECT_EQ(linear_mode_count(1), 2);
}

// Principal components leave least of the candidates: no other space of that size leaves less.
TEST(NonlinearModes, PrincipalComponentsAreThoseOfADenseDecomposition) {
  const auto system = bars(Held::at_an_end, 1);
  RestBody body = std::move(rest_bodies(*system, prescribed(*system))[0]);
  MatX f = MatX::Random(body.size(), 9);
  body.set_fixed_to_zero(f);
  const MatX candidates = body.solve(f);
  const VecX root = body.mass().cwiseSqrt();
  const Eigen::BDCSVD<MatX> svd(root.asDiagonal() * candidates, Eigen::ComputeThinU);
  const ReducedModes modes = reduce_modes(body, candidates, 4, "pca");
  ASSERT_EQ(modes.vectors.cols(), 4);
  const MatX Q = root.asDiagonal() * modes.vectors, P = svd.matrixU().leftCols(4);
  EXPECT_LT((P - Q * (Q.transpose() * P)).norm(), 1e-7);
  // A random combination of as many as there are spans them all.
  const ReducedModes all = reduce_modes(body, candidates, 9, "random", 3);
  const MatX R = root.asDiagonal() * all.vectors;
  if (all.vectors.cols() == 9) EXPECT_LT((P - R * (R.transpose() * P)).norm(), 1e-6);
  EXPECT_THROW(reduce_modes(body, candidates, 4, "pac"), InputError);
}

// Candidates that depend on each other give fewer modes than were asked for.
TEST(NonlinearModes, FewerWhereCandidatesSpanFewer) {
  const auto system = bars(Held::at_an_end, 1);
  RestBody body = std::move(rest_bodies(*system, prescribed(*system))[0]);
  MatX f = MatX::Random(body.size(), 3);
  body.set_fixed_to_zero(f);
  const MatX three = body.solve(f);
  MatX six(body.size(), 6);
  six << three, three * Mat3::Random();
  EXPECT_EQ(reduce_modes(body, six, 6, "pca").vectors.cols(), 3);
  EXPECT_EQ(reduce_modes(body, six, 6, "random").vectors.cols(), 3);
}

// A free body has the 6 + 18 polynomials that are no rigid motions, exactly; a held one those nearest in energy.
TEST(QuadraticModes, AreThePolynomialsOfDegreeTwo) {
  for (const Held held : {Held::nowhere, Held::at_an_end, Held::along_one_axis}) {
    const auto system = bars(held, 1);
    const std::vector<char> fixed = prescribed(*system);
    const ModeSet modes = quadratic_modes(*system, fixed, 100);
    EXPECT_EQ(modes.vectors.cols(), held == Held::nowhere ? 24 : 24) << static_cast<int>(held);
    EXPECT_GT(modes.values[0], 0);
    for (std::size_t c = 0; c < fixed.size(); ++c)
      if (fixed[c]) EXPECT_EQ(modes.vectors.row(static_cast<Index>(c)).cwiseAbs().maxCoeff(), 0);
    RestBody body = std::move(rest_bodies(*system, fixed)[0]);
    const MatX U = part(body, modes.vectors);
    // p = x^2 along z: in the span, with rigid motions, of a free body; of a held one the rest has no energy with U.
    MatX p = MatX::Zero(3 * system->dynamic_count, 1);
    for (Index v = 0; v < system->dynamic_count; ++v) p(3 * v + 2) = system->rest(0, v) * system->rest(0, v);
    const VecX Kp = [&] {
      VecX f(p.size());
      stiffness_at_rest(*system).multiply(p.data(), f.data());
      return f;
    }();
    // U (U^T K U)^-1 U^T K p has the forces of p in U, and of a free body all of them.
    const MatX UKU = U.transpose() * body.multiply(U);
    const VecX fit = U * UKU.ldlt().solve(U.transpose() * part(body, Kp));
    EXPECT_LT((body.multiply(fit) - part(body, Kp)).norm(), 1e-8 * Kp.norm());
  }
}

}  // namespace
}  // namespace sinew
