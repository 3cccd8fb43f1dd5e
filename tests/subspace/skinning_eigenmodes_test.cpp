// Skinning eigenmodes against a dense solver on the elastic Hessian itself.
#include "sinew/subspace/skinning_eigenmodes.h"

#include "support/bodies.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/core/activity.h"
#include "sinew/potential/linear_tet_energy.h"

namespace sinew {
namespace {

// A bar whose halves differ in stiffness, density and Poisson's ratio, free or fixed at one end.
std::shared_ptr<const System> two_halves(double left_poisson, double right_poisson, bool fixed) {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3(2, 0.7, 0.4), {6, 3, 2});
  BodySetup body = test::body("bar", mesh, test::material("neo_hookean", 1e5, left_poisson, 900, "left"));
  MaterialAssignment right = test::material("stvk", 3e6, right_poisson, 2000, "right");
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    double x = 0;
    for (int i = 0; i < 4; ++i) x += mesh.vertices(0, mesh.tets(i, t)) / 4;
    (x > 0 ? right : body.materials[0]).tets.push_back(t);
  }
  body.materials.push_back(right);
  if (fixed) {
    FixSetup fix;
    fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.99; });
    body.fixes.push_back(fix);
  }
  setup.bodies.push_back(std::move(body));
  return build_system(std::move(setup));
}

// (L_w)_ij: the sum of the diagonal entries of block ij of the elastic Hessian at rest.
MatX trace_laplacian(const System& system) {
  const LinearTetEnergy elastic(system.rest, system.tets, system.groups, system.dynamic_count);
  std::vector<std::pair<Index, Index>> pairs;
  elastic.collect_pairs(pairs);
  SymBlockMatrix H(make_pattern(system.dynamic_count, pairs));
  Points g = Points::Zero(3, system.dynamic_count);
  elastic.add_derivatives(system.rest, 1, Projection::none, g, H);
  MatX L = MatX::Zero(system.dynamic_count, system.dynamic_count);
  const BlockPattern& pattern = H.pattern();
  for (Index i = 0; i < pattern.rows; ++i)
    for (auto e = pattern.row_begin[i]; e < pattern.row_begin[i + 1]; ++e) {
      const double* block = H.block(e);
      L(i, pattern.columns[e]) = L(pattern.columns[e], i) = block[0] + block[4] + block[8];
    }
  return L;
}

TEST(SkinningEigenmodes, EndWhenTheyAreInterrupted) {
  const auto system = two_halves(0.1, 0.45, true);
  const Domain domain = make_domain(*system, std::vector<char>(3 * static_cast<std::size_t>(system->dynamic_count), 0));
  int calls = 0;
  const activity::Listening listening({.interrupted = [&] { return ++calls > 2; }, .progress = {}});
  activity::begin("modes");
  EXPECT_THROW(skinning_eigenmodes(domain, 8), Interrupted);
}

TEST(SkinningEigenmodes, AgainstADenseSolverWithTwoPoissonRatios) {
  for (const bool fixed : {false, true}) {
    const auto system = two_halves(0.1, 0.45, fixed);
    std::vector<char> fixed_flags(3 * static_cast<std::size_t>(system->dynamic_count), 0);
    for (const PrescribedVertex& p : system->prescribed)
      for (int k = 0; k < 3; ++k) fixed_flags[3 * static_cast<std::size_t>(p.vertex) + k] = 1;
    const Domain domain = make_domain(*system, fixed_flags);
    std::vector<double> values;
    constexpr Index count = 8;
    const HandleBasis basis = skinning_eigenmodes(domain, count, &values);

    std::vector<Index> free;
    for (Index v = 0; v < system->dynamic_count; ++v)
      if (!domain.fixed[v]) free.push_back(v);
    const MatX L = trace_laplacian(*system)(free, free);
    MatX M = MatX::Zero(L.rows(), L.rows());
    for (std::size_t i = 0; i < free.size(); ++i) M(i, i) = system->mass[free[i]];
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> dense(L, M);
    ASSERT_EQ(static_cast<Index>(values.size()), count);
    const double size = dense.eigenvalues()[count];
    for (Index i = 0; i < count; ++i) {
      EXPECT_NEAR(values[i], dense.eigenvalues()[i], 1e-7 * size) << i;
      // The residual of the mode itself, which does not ask how equal eigenvalues are told apart.
      VecX w = VecX::Zero(system->dynamic_count);
      for (Index v = 0; v < system->dynamic_count; ++v)
        for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e)
          if (basis.handle[e] == i) w[v] = basis.weight[e];
      EXPECT_NEAR(w.cwiseAbs().maxCoeff(), 1, 1e-12);
      const VecX x = w(free);
      EXPECT_LT((L * x - values[i] * (M * x)).norm(), 1e-5 * size * (M * x).norm()) << i;
      for (Index v = 0; v < system->dynamic_count; ++v) {
        if (!domain.fixed[v]) continue;
        EXPECT_EQ(w[v], 0);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
