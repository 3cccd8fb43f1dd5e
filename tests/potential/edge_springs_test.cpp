// Springs on edges: stiffnesses that do not know the mesh size, derivatives, projection, the same bits for any threads.
#include "sinew/potential/edge_springs.h"

#include <cstring>
#include <random>

#include "support/bodies.h"
#include "support/derivatives.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/model/edit.h"
#include "sinew/potential/damping.h"

namespace sinew {
namespace {

std::shared_ptr<System> spring_sheet(std::array<Index, 2> cells, double bending = 0.3) {
  sinew::Setup setup;
  setup.bodies.push_back(test::cloth("sheet", make_sheet({0.3, 0.2}, cells), test::springs(2e5, 300, 1e-3, bending)));
  return build_system(std::move(setup));
}

std::shared_ptr<System> spring_box(Index cells) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("box", make_box(Vec3(0.3, 0.2, 0.1), {cells, cells, cells}), test::springs(2e5, 300)));
  return build_system(std::move(setup));
}

Points scaled(const System& system, double factor, double noise) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-noise, noise);
  Points x = factor * system.rest;
  for (double& value : x.reshaped()) value += uniform(random);
  return x;
}

SymBlockMatrix hessian(const EdgeSpringEnergy& energy, const System& system, const Points& x, Projection projection) {
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  SymBlockMatrix H;
  H.set_pattern(make_pattern(system.dynamic_count, pairs));
  Points g = Points::Zero(3, system.dynamic_count);
  energy.add_derivatives(x, 1, projection, g, H);
  return H;
}

MatX dense(const SymBlockMatrix& H) {
  const Index n = 3 * H.rows();
  MatX all(n, n);
  VecX unit = VecX::Zero(n), column(n);
  for (Index i = 0; i < n; ++i) {
    unit[i] = 1;
    H.multiply(unit.data(), column.data());
    all.col(i) = column;
    unit[i] = 0;
  }
  return all;
}

TEST(EdgeSprings, DerivativesMatchDifferences) {
  for (const auto& system : {spring_sheet({3, 2}), spring_box(1)}) {
    const EdgeSpringEnergy energy(*system);
    for (const double factor : {1.4, 1.0, 0.6}) {
      SCOPED_TRACE(factor);
      test::expect_derivatives(energy, scaled(*system, factor, 0.01), 1e-4);
    }
    // At rest the force vanishes, and the Hessian is that of the directions alone.
    Points g = Points::Zero(3, system->dynamic_count);
    energy.add_gradient(system->rest, 1, g);
    EXPECT_EQ(g.cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(energy.value(system->rest), 0);
    const MatX exact = dense(hessian(energy, *system, system->rest, Projection::none));
    EXPECT_EQ(exact, dense(hessian(energy, *system, system->rest, Projection::psd)));
  }
}

TEST(EdgeSprings, ProjectionIsThatOfEveryStencil) {
  const auto system = spring_sheet({3, 2});
  const EdgeSpringEnergy energy(*system);
  const Points wide = scaled(*system, 1.5, 0.005), narrow = scaled(*system, 0.5, 0.02);
  EXPECT_EQ(dense(hessian(energy, *system, wide, Projection::none)),
            dense(hessian(energy, *system, wide, Projection::psd)));
  const Eigen::SelfAdjointEigenSolver<MatX> exact(dense(hessian(energy, *system, narrow, Projection::none)));
  const Eigen::SelfAdjointEigenSolver<MatX> projected(dense(hessian(energy, *system, narrow, Projection::psd)));
  EXPECT_LT(exact.eigenvalues()[0], -1);
  EXPECT_GT(projected.eigenvalues()[0], -1e-9 * projected.eigenvalues().maxCoeff());
}

// Under a uniform extension every element holds 3/2 E V eps^2 (triangles) or 3 E V eps^2 (tets): a membrane of
// Poisson's ratio 1/3 and a solid of 1/4.
TEST(EdgeSprings, StiffnessIsAModulusWhateverTheMeshSize) {
  const double eps = 1e-3;
  for (const Index cells : {2, 5, 9}) {
    const auto sheet = spring_sheet({cells, cells + 1}, 0), box = spring_box(cells);
    EXPECT_NEAR(EdgeSpringEnergy(*sheet).value((1 + eps) * sheet->rest), 1.5 * 2e5 * 6e-5 * eps * eps, 1e-12);
    EXPECT_NEAR(EdgeSpringEnergy(*box).value((1 + eps) * box->rest), 3 * 2e5 * 6e-3 * eps * eps, 1e-10);
    EXPECT_NEAR(sheet->bodies[0].stiffness, 2e5 * 6e-5, 1e-9);
    EXPECT_NEAR(box->bodies[0].stiffness, 2e5 * 6e-3, 1e-7);
    double mass = 0;
    for (const double m : sheet->mass) mass += m;
    EXPECT_NEAR(mass, 300 * 6e-5, 1e-12);
  }
  // The mean over the directions of a square's own springs: pulled along a side and shrunk as it likes, E within 20 %.
  const auto sheet = spring_sheet({6, 4}, 0);
  Points x = sheet->rest;
  x.row(0) *= 1 + eps;
  double least = 1e300;
  for (double shrink = 0; shrink < 0.5 * eps; shrink += 0.01 * eps) {
    Points narrower = x;
    narrower.row(2) *= 1 - shrink;
    least = std::min(least, EdgeSpringEnergy(*sheet).value(narrower));
  }
  EXPECT_NEAR(least / (0.5 * 2e5 * 6e-5 * eps * eps), 1.1, 0.15);
}

TEST(EdgeSprings, BendingJoinsOppositeVertices) {
  const auto plain = spring_sheet({1, 1}, 0), bent = spring_sheet({1, 1}, 0.3);
  EXPECT_EQ(plain->edge_springs.size(), 5u);
  ASSERT_EQ(bent->edge_springs.size(), 6u);
  const auto cross = std::ranges::find_if(bent->edge_springs, [](const EdgeSpring& s) { return s.bending; });
  const double diagonal2 = 0.3 * 0.3 + 0.2 * 0.2;
  EXPECT_NEAR(cross->stiffness, 0.3 * 2e5 * 6e-5 / diagonal2, 1e-9);
  EXPECT_NEAR(cross->length * cross->length, diagonal2, 1e-15);
  // Folded along the diagonal, only that one is shorter.
  const Index a = cross->a, b = cross->b;
  Points x = bent->rest;
  x.col(b) = x.col(a) + 1e-3 * Vec3::UnitY();
  EXPECT_GT(EdgeSpringEnergy(*bent).value(x), 0.4 * cross->stiffness * diagonal2);
}

TEST(EdgeSprings, NothingIsNotANumberWhereAnEdgeHasNoLength) {
  const auto system = spring_sheet({1, 1});
  const EdgeSpringEnergy energy(*system);
  const Points x = Points::Zero(3, system->vertex_count());
  Points g = Points::Zero(3, system->dynamic_count);
  energy.add_gradient(x, 1, g);
  EXPECT_EQ(g.cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(dense(hessian(energy, *system, x, Projection::psd)).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT(energy.value(x), 0);
}

TEST(EdgeSprings, ThreadsDoNotChangeBits) {
  const auto system = spring_sheet({60, 50});
  const Points x = scaled(*system, 1.1, 0.001);
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    const EdgeSpringEnergy energy(*system);
    Points g = Points::Zero(3, system->dynamic_count);
    energy.add_gradient(x, 0.3, g);
    const SymBlockMatrix H = hessian(energy, *system, x, Projection::psd);
    std::vector<double> all(g.data(), g.data() + g.size());
    all.insert(all.end(), H.values().begin(), H.values().end());
    all.push_back(energy.value(x));
    return all;
  };
  const std::vector<double> one = run(1), two = run(2);
  ASSERT_EQ(one.size(), two.size());
  EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size() * sizeof(double)), 0);
}

TEST(EdgeSprings, StiffnessIsDamped) {
  sinew::Setup setup;
  setup.bodies.push_back(test::cloth("sheet", make_sheet({0.3, 0.2}, {2, 2}), test::springs(2e5, 300, 1e-3, 0.1)));
  setup.bodies[0].damping_stiffness = 0.01;
  const auto system = build_system(std::move(setup));
  ElasticEnergy elastic(*system);
  const EdgeSpringEnergy springs(*system);
  std::vector<std::pair<Index, Index>> pairs;
  springs.collect_pairs(pairs);
  const auto pattern = make_pattern(system->dynamic_count, pairs);
  DampingEnergy damping(*system, &elastic, pattern);
  StepContext context;
  context.start = context.reference = system->rest;
  context.reference_step = 0.02;
  damping.begin_step(context);
  // xi / h u^T K u / 2, K the Hessian at rest.
  const Points x = scaled(*system, 1.0, 0.01);
  const Points u = x - system->rest;
  const MatX K = dense(hessian(springs, *system, system->rest, Projection::psd));
  const VecX flat = u.reshaped();
  EXPECT_NEAR(damping.value(x), 0.01 / 0.02 * flat.dot(K * flat) / 2, 1e-9);
}

TEST(EdgeSprings, MaterialsChange) {
  const auto system = spring_sheet({4, 3}), stiff = spring_sheet({4, 3});
  apply(*stiff, MaterialEdit{"springs", {{"young", {6e5}}, {"thickness", {1e-3}}, {"bending", {0.1}}}});
  for (std::size_t s = 0; s < system->edge_springs.size(); ++s) {
    const EdgeSpring &before = system->edge_springs[s], &after = stiff->edge_springs[s];
    EXPECT_NEAR(after.stiffness / before.stiffness, before.bending ? 1 : 3, 1e-12);
  }
  EXPECT_NEAR(stiff->bodies[0].stiffness, 3 * system->bodies[0].stiffness, 1e-9);
  apply(*stiff, MaterialEdit{"springs", {{"young", {2e5}}}});  // the others stay
  for (std::size_t s = 0; s < system->edge_springs.size(); ++s)
    EXPECT_NEAR(stiff->edge_springs[s].stiffness / system->edge_springs[s].stiffness,
                system->edge_springs[s].bending ? 1.0 / 3 : 1, 1e-12);
  const UserParameters thicker{{"young", {6e5}}, {"thickness", {2e-3}}, {"bending", {0.1}}};
  EXPECT_THROW(apply(*stiff, MaterialEdit{"springs", thicker}), InputError);
  const UserCurves none;
  EXPECT_THROW(apply(*stiff, CurvesEdit{"springs", none}), InputError);
}

}  // namespace
}  // namespace sinew
