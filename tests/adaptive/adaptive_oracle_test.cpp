// Errors and progress of vertices, handles and dense modes against their definitions with dense columns.
#include "sinew/adaptive/adaptive_oracle.h"

#include <random>

#include "solver/bent_bar.h"
#include "solver/mode_columns.h"

#include "sinew/adaptive/mode_library.h"
#include "sinew/partition/domain.h"
#include "sinew/subspace/handle_scalars.h"

namespace sinew {
namespace {

using namespace test;

TEST(AdaptiveOracle, IsWhatItsEquationsSay) {
  Bent bent([](SolverSetup& s) { s.handles = 4; }, 1e2);
  const System& system = *bent.system;
  const Index n = system.dynamic_count;
  const auto library = std::make_shared<ModeLibrary>(*make_mode_library(system, bent.context.prescribed));
  library->modes = waves(bent, 5).topRows(5);
  AdaptiveOracle oracle(system, library, bent.context.prescribed);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Points g(3, n);
  for (double& value : g.reshaped()) value = uniform(random);
  std::vector<double> before(n), after(n);
  for (Index i = 0; i < n; ++i) before[i] = uniform(random), after[i] = uniform(random);
  std::vector<char> enriched(n, 0), active(library->candidate_count(), 0);
  enriched[5] = 1;
  active[0] = 1;
  const double scale = bent.context.scale;
  oracle.find_errors(g, scale, enriched, active);
  oracle.find_progress(before, after, scale, active);

  // gamma_i and eta_i over a h^2.
  VecX area = VecX::Zero(n), volume = VecX::Zero(n), stiffness = VecX::Zero(n), tets = VecX::Zero(n);
  const Domain domain = make_domain(system, bent.context.prescribed);
  for (Index t = 0; t < system.tet_count(); ++t) {
    for (int k = 0; k < 4; ++k) {
      const Index i = system.tets(k, t);
      const auto corner = [&](int c) { return Vec3(system.rest.col(system.tets((k + c) % 4, t))); };
      area[i] += (corner(2) - corner(1)).cross(corner(3) - corner(1)).norm() / 2;
      volume[i] += domain.volume[t] / 4;
      stiffness[i] += 2 * domain.mu[t] + 3 * domain.lambda[t];
      tets[i] += 1;
    }
  }
  const VecX W = stiffness.cwiseQuotient(tets);
  const auto fixed = [&](Index i, int k) { return bent.context.prescribed[3 * i + k] != 0; };
  for (Index i = 0; i < n; ++i) {
    Vec3 f = g.col(i);
    for (int k = 0; k < 3; ++k)
      if (fixed(i, k)) f[k] = 0;
    EXPECT_NEAR(oracle.vertex_errors()[i], enriched[i] ? 0.0 : f.norm() / (scale * area[i] * W[i]),
                1e-12 * oracle.vertex_errors()[i]);
    const double progress = (before[i] - after[i]) / (scale * volume[i] * W[i]);
    EXPECT_NEAR(oracle.vertex_progress()[i], progress, 1e-12 * std::abs(progress));
  }
  // Handles, by their twelve modes u (3 n) and the means ubar (n) of these.
  const HandleBasis& basis = library->handles;
  for (Index h = 1; h < basis.handle_count(); ++h) {
    VecX projected = VecX::Zero(3 * n), c = VecX::Zero(n);
    for (int mode = 0; mode < 12; ++mode) {
      VecX u = VecX::Zero(3 * n), mean = VecX::Zero(n);
      for (Index i = 0; i < n; ++i)
        for (auto e = basis.begin[i]; e < basis.begin[i + 1]; ++e)
          if (basis.handle[e] == h && !fixed(i, mode % 3)) {
            u[3 * i + mode % 3] = handle_scalars(basis, e, system.rest.col(i))[mode / 3];
            mean[i] = u[3 * i + mode % 3] / 3;
          }
      projected += u * (u.dot(VecX::Map(g.data(), 3 * n)) / u.squaredNorm());
      c += mean * (mean.dot(VecX::Map(before.data(), n) - VecX::Map(after.data(), n)) / mean.squaredNorm());
    }
    double error = 0, progress = 0;
    for (Index i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) error = std::max(error, std::abs(projected[3 * i + k]) / (scale * area[i] * W[i]));
      progress += c[i] / (scale * volume[i] * W[i]);
    }
    EXPECT_NEAR(oracle.mode_errors()[h], error, 1e-9 * error) << h;
    EXPECT_NEAR(oracle.mode_progress()[h], progress, 1e-9 * std::abs(progress)) << h;
  }
  EXPECT_EQ(oracle.mode_errors()[0], 0);
  for (Index s = 0; s < library->mode_count(); ++s) {
    const Index candidate = basis.handle_count() + s;
    VecX u = library->modes.row(s).transpose(), mean(n);
    for (Index i = 0; i < 3 * n; ++i)
      if (bent.context.prescribed[i]) u[i] = 0;
    for (Index i = 0; i < n; ++i) mean[i] = u.segment<3>(3 * i).mean();
    const VecX projected = u * (u.dot(VecX::Map(g.data(), 3 * n)) / u.squaredNorm());
    const VecX decrease = VecX::Map(before.data(), n) - VecX::Map(after.data(), n);
    const VecX c = mean * (mean.dot(decrease) / mean.squaredNorm());
    double error = 0, progress = 0;
    for (Index i = 0; i < n; ++i) {
      error = std::max(error, projected.segment<3>(3 * i).cwiseAbs().maxCoeff() / (scale * area[i] * W[i]));
      progress += c[i] / (scale * volume[i] * W[i]);
    }
    EXPECT_NEAR(oracle.mode_errors()[candidate], error, 1e-9 * error) << s;
    EXPECT_NEAR(oracle.mode_progress()[candidate], progress, 1e-9 * std::abs(progress)) << s;
  }
}

}  // namespace
}  // namespace sinew
