// Linear modes against a dense solver on the same matrices.
#include "sinew/modes/linear_modes.h"

#include "linalg/linalg_fixtures.h"
#include "modes/rest_bars.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/potential/linear_tet_energy.h"

namespace sinew {
namespace {

using namespace test;

class LinearModes : public testing::TestWithParam<Held> {};

TEST_P(LinearModes, AreTheLowestEigenpairsOfTheHessianAtRest) {
  const auto system = two_bars(GetParam());
  const std::vector<char> fixed = prescribed(*system);
  const Index n = system->dynamic_count, count = 30;
  const ModeSet modes = linear_modes(*system, fixed, count);
  ASSERT_EQ(modes.values.size(), count);

  const LinearTetEnergy elastic(system->rest, system->tets, system->groups, n);
  std::vector<std::pair<Index, Index>> pairs;
  elastic.collect_pairs(pairs);
  SymBlockMatrix H(make_pattern(n, pairs));
  Points g = Points::Zero(3, n);
  elastic.add_derivatives(system->rest, 1, Projection::none, g, H);
  std::vector<Index> free;
  VecX mass(3 * n);
  for (Index i = 0; i < 3 * n; ++i) {
    mass[i] = system->mass[i / 3];
    if (!fixed[i]) free.push_back(i);
  }
  const MatX K = dense(H), Kf = K(free, free), Mf = VecX(mass(free)).asDiagonal();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> expected(Kf, Mf);
  const double scale = expected.eigenvalues()[count];
  for (Index i = 0; i < count; ++i)
    EXPECT_NEAR(modes.values[i], expected.eigenvalues()[i], 1e-7 * expected.eigenvalues()[i] + 1e-11 * scale) << i;
  // K u = lambda M u at free coordinates, zero at others; orthonormal in the mass.
  EXPECT_LT((modes.vectors.transpose() * mass.asDiagonal() * modes.vectors - MatX::Identity(count, count)).norm(),
            1e-10);
  for (Index i = 0; i < 3 * n; ++i) {
    if (fixed[i]) EXPECT_EQ(modes.vectors.row(i).norm(), 0);
  }
  const MatX U = modes.vectors(free, Eigen::all);
  const MatX residual = Kf * U - Mf * U * modes.values.asDiagonal();
  EXPECT_LT((Mf.diagonal().cwiseInverse().asDiagonal() * residual).norm(), 1e-5 * scale * U.norm());

  const auto rigid_modes = (modes.values.array() == 0).count();
  EXPECT_EQ(rigid_modes, GetParam() == Held::nowhere ? 12 : GetParam() == Held::at_an_end ? 6 : 9);
}

INSTANTIATE_TEST_SUITE_P(All, LinearModes, testing::Values(Held::nowhere, Held::at_an_end, Held::along_one_axis));

TEST(LinearModesErrors, ToldBeforeAnyWork) {
  const auto system = two_bars(Held::nowhere);
  const std::vector<char> fixed = prescribed(*system);
  EXPECT_THROW(linear_modes(*system, fixed, 3 * system->dynamic_count + 1), InputError);
  sinew::Setup setup;
  MaterialAssignment quartic;
  quartic.name = "quartic";
  quartic.model = shared_material_model("polynomial");
  quartic.parameters = quartic.model->resolve({{"mu", {1e5}}});
  quartic.density = {900};
  setup.bodies.push_back(test::body("bar", make_box(Vec3(1, 1, 1), {2, 2, 2}), quartic));
  const auto soft = build_system(std::move(setup));
  EXPECT_THROW(linear_modes(*soft, prescribed(*soft), 3), InputError);
}

}  // namespace
}  // namespace sinew
